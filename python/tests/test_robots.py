"""Symmetries of robots from their files: known answers, broken ones, mass matrices, and files that are refused."""

import json
import math
import pathlib
import pickle
import re

import pytest

numpy = pytest.importorskip("numpy", reason="NumPy is not installed")
from intertwine import DomainError, Group, VerificationError, robots  # noqa: E402
from intertwine.robots import _tree  # noqa: E402
from robots_for_tests import arm, inertial, joint, link, quadruped, robot, spider, turned  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIPED = ROOT / "tests" / "data" / "robots" / "biped.xml"


def read(tmp_path, text, **settings):
    path = tmp_path / "robot.xml"
    path.write_text(text)
    return robots.read(path, **settings)


def names(found):
    return {s.name: s.joints for s in found.symmetries}


# --- Known answers -------------------------------------------------------------------------------------------------------


def test_the_quadruped_of_the_example_has_the_signs_that_stand_there():
    """The file of the example, and the signs beside it, which were written by hand."""
    folder = ROOT / "examples" / "quadruped"
    found = robots.read(folder / "quadruped.urdf")
    assert found.group == Group("C2 x C2") and found.floating and len(found.symmetries) == 4
    images = json.loads((folder / "joints.json").read_text())["images"]
    assert [list(g.joints) for g in found.generators] == images
    assert [g.name for g in found.generators] == ["mirror y", "mirror x"]
    assert found.joint_names[:4] == ("LF_HAA", "LF_HFE", "LF_KFE", "RF_HAA")
    joints = found.joints
    assert (joints >> joints).dimension == 36 and str(found.vector) == "rep([[1,-2,3],[-1,2,3]])"
    assert (found.actions >> found.vector).dimension == (joints >> found.vector).dimension
    # A mirror reverses the angular velocity along its own plane.
    mirror = numpy.asarray(found.pseudovector.matrix(found.group.generators[0]), dtype=float)
    assert numpy.array_equal(mirror, numpy.diag([-1, 1, -1]))
    assert found.links.dimension == len(found.link_names) == 13
    assert found.orientation.dimension == 9


def test_axes_that_are_reversed_change_signs_only(tmp_path):
    plain, flipped = read(tmp_path, quadruped()), read(tmp_path, quadruped(flip=-1.0))
    assert plain.group == flipped.group
    assert names(plain)["mirror y"][:3] == (-4, 5, 6) and names(flipped)["mirror y"][:3] == (-4, -5, -6)


@pytest.mark.parametrize("legs", [2, 3, 4, 5, 6, 8])
def test_spiders_have_dihedral_groups(tmp_path, legs):
    found = read(tmp_path, spider(legs))
    assert found.group.order == 2 * legs and found.group.name == (f"D{legs}" if legs > 2 else "C2 x C2")
    assert found.error < 1e-9 and found.mass_matrix_error < 1e-9
    assert found.vector.dimension == 3 and (found.vector >> found.vector).dimension == (2 if legs > 2 else 3)
    turns = [s for s in found.symmetries if numpy.linalg.det(s.rotation) > 0]
    assert len(turns) == legs and all(numpy.allclose(s.rotation[2], [0, 0, 1]) for s in found.symmetries)
    lifts = (found.joints >> found.group.rep("trivial")).dimension
    assert lifts == 1  # all lifts together; yaws are reversed by mirrors


def test_up_is_kept_or_not(tmp_path):
    """A flat spider with three legs of no height is the same upside down."""
    text = re.sub(r'xyz="0.2 0.0 -0.1"', 'xyz="0.2 0.0 0.0"', spider(3))
    assert read(tmp_path, text).group.order == 6
    every = read(tmp_path, text, up=None)
    assert every.group.order == 12 and "mirror z" in names(every)
    assert names(every)["mirror z"] == (1, -2, 3, -4, 5, -6)


def test_a_biped_with_defaults_gears_and_several_joints_a_body():
    found = robots.read(BIPED)
    order = found.joint_names
    assert order == (
        "waist", "left_hip_x", "left_hip_y", "left_knee", "left_ankle",
        "right_hip_x", "right_hip_y", "right_knee", "right_ankle",
    )  # fmt: skip
    assert found.group == Group("C2") and names(found)["mirror y"] == (-1, 6, -7, 8, 9, 2, -3, 4, 5)
    g = found.group.generators[0]
    action = numpy.asarray(found.actions.matrix(g), dtype=float)
    expected = numpy.zeros((5, 5))
    expected[0, 0], expected[1, 2], expected[2, 1], expected[3, 4], expected[4, 3] = -1, -1, -1, -1, -1
    assert numpy.array_equal(action, expected)  # the gear of the right knee is negative
    assert not [said for said in found.asymmetries if said.startswith("mirror y")]
    assert "mirror y: joints" in str(found)


def test_an_arm_that_stands_in_the_world(tmp_path):
    found = read(tmp_path, arm())
    assert not found.floating and found.group == Group("C2 x C2")
    assert names(found)["mirror x"] == (-1, -2, -3) and names(found)["mirror y"] == (1, 2, 3)
    assert found.mass_matrix([0, 0, 0]).shape == (3, 3)
    assert read(tmp_path, arm(True)).floating and not read(tmp_path, arm(True), floating=False).floating


def test_links_that_stand_in_one_place(tmp_path):
    """Two equal legs in one plane can be exchanged, and nothing turns: as in planar walkers."""
    legs = [joint(f"hip{k}", "continuous", "trunk", f"leg{k}", (0, 0, 0), (0, 1, 0)) for k in "ab"]
    body = (0.2, 0, -0.3), (0.1, 0.1, 0.01)
    found = read(
        tmp_path,
        robot(
            "walker",
            link("trunk", 5.0, (0.1, 0, 0.3), (1, 1, 0.3)),
            *(link(f"leg{k}", 1.0, *body) for k in "ab"),
            *legs,
        ),
    )
    assert found.group == Group("C2 x C2") and found.symmetries[0].joints == (1, 2)
    assert names(found)["exchange of links in one place"] == (2, 1)


def test_two_hands_of_equal_fingers(tmp_path):
    """Three fingers in one place on either hand: 6 * 6 * 2 symmetries."""
    body = (0.2, 0, -0.3), (0.1, 0.1, 0.01)
    sides = (("l", 0.3), ("r", -0.3))
    found = read(
        tmp_path,
        robot(
            "hands",
            link("trunk", 5.0, (0.1, 0, 0.3), (1, 1, 0.3)),
            *(link(f"{side}{k}", 1.0, *body) for side, _ in sides for k in range(3)),
            *(
                joint(f"j{side}{k}", "continuous", "trunk", f"{side}{k}", (0, y, 0), (0, 1, 0))
                for side, y in sides
                for k in range(3)
            ),
        ),
    )
    assert found.group.order == 72 and len(found.symmetries) == 72
    assert found.mass_matrix_error < 1e-12
    tree, first = found.tree, found.tree.centre
    assert tree.centre is first and tree.size == found.tree.size  # computed once


# --- What breaks ---------------------------------------------------------------------------------------------------------


def test_asymmetries_are_named(tmp_path):
    heavy = read(tmp_path, quadruped((1.1, 1.0, 1.1, 1.0)))
    assert list(names(heavy)) == ["identity", "mirror x"]
    assert "mirror y: the mass of links LF_hip and RF_hip differs by 9.1e-02" in heavy.asymmetries
    ahead = read(tmp_path, quadruped(shift=0.05))
    assert list(names(ahead)) == ["identity", "mirror y"]
    assert any(said.startswith("mirror x: the centre of mass of link trunk") for said in ahead.asymmetries)
    one = read(tmp_path, quadruped((1.1, 1.0, 1.0, 1.0)))
    assert one.group == Group("C1") and str(one.joints) == "12*trivial"


def test_near_symmetries_are_within_a_tolerance_that_is_stated(tmp_path):
    text = quadruped((1.0005, 1.0, 1.0, 1.0))
    near = read(tmp_path, text)
    assert near.group.order == 4 and 4e-4 < near.mass_error < 1e-3 and 0 < near.mass_matrix_error < 1e-3
    assert read(tmp_path, text, tolerance=1e-4).group.order == 1
    assert read(tmp_path, quadruped((1.1, 1.0, 1.0, 1.0)), mass_tolerance=0.2).group.order == 4
    # Axes are not looked over by it.
    moved = quadruped().replace('<origin xyz="0.3 -0.1 0.0"', '<origin xyz="0.31 -0.1 0.0"')
    assert read(tmp_path, moved, mass_tolerance=1.0).group.order == 1


def test_limits_that_partners_do_not_share_are_told(tmp_path):
    fine = read(tmp_path, quadruped(limits=[(-1, 2), (-2, 1), (-1, 2), (-2, 1)]))
    assert not fine.asymmetries  # the abductions of left and right are reversed
    other = read(tmp_path, quadruped(limits=[(-1, 2), (-2, 1), (-1, 2), (-1, 2)]))
    assert other.group.order == 4
    assert "mirror y: joints LH_HAA and RH_HAA differ in limits, (-1, 2) and (-1, 2)" in other.asymmetries


def test_the_mass_matrix_tells_wrong_signs(tmp_path, monkeypatch):
    """The second check is one: with a sign of the first turned round it fails."""
    from intertwine.robots import _search

    right = _search._sign
    monkeypatch.setattr(_search, "_sign", lambda R, a, b: -right(R, a, b) if a.name == "LF_KFE" else right(R, a, b))
    with pytest.raises((VerificationError, DomainError), match="the mass matrix differs|is none"):
        read(tmp_path, quadruped())


def test_frames_of_the_root(tmp_path):
    """Quarter turns of the frame, and turns by 30 degrees, are exact; others have no exact matrices."""

    def about_z(angle):
        c, s = math.cos(angle), math.sin(angle)
        return numpy.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])

    for degrees, order in ((90, 4), (30, 4)):
        found = read(tmp_path, turned(quadruped(), about_z(math.radians(degrees))), floating=True)
        assert found.group.order == order
        for g, s in zip(found.group.generators, found.generators):
            assert numpy.allclose(numpy.asarray(found.vector.matrix(g), dtype=complex), s.rotation)
    with pytest.raises(DomainError, match="turn the frame of the root"):
        read(tmp_path, turned(quadruped(), about_z(0.1234)), floating=True)


# --- Mass matrices -------------------------------------------------------------------------------------------------------


def test_the_mass_matrix_is_that_of_the_kinetic_energy():
    """By differences of positions of the centres of mass and of rotations, which knows nothing of composite bodies."""
    tree = robots.read(BIPED).tree
    rng = numpy.random.default_rng(3)
    q, dq = rng.normal(size=(2, len(tree.order)))
    h = 1e-6
    energy = 0.0
    before, here, after = (tree._poses(q + s * h * dq) for s in (-1, 0, 1))
    for k, body in enumerate(tree.links):
        velocity = sum(s * (P[k][0] @ body.centre + P[k][1]) for s, P in ((-1, before), (1, after))) / (2 * h)
        turn = (after[k][0] - before[k][0]) / (2 * h) @ here[k][0].T
        spin = numpy.array([turn[2, 1], turn[0, 2], turn[1, 0]])
        inertia = here[k][0] @ body.inertia @ here[k][0].T
        energy += (body.mass * velocity @ velocity + spin @ inertia @ spin) / 2
        energy += 0 if body.joint is None else body.joint.armature * dq[tree.order.index(body.joint.name)] ** 2 / 2
    M = tree.mass_matrix(q)[6:, 6:]
    assert dq @ M @ dq / 2 == pytest.approx(energy, rel=1e-6)
    assert numpy.linalg.eigvalsh(tree.mass_matrix(q)).min() > 0


@pytest.mark.parametrize("name", ["biped", "quadruped", "arm"])
def test_mass_matrices_are_those_of_mujoco(name, tmp_path):
    """Numbers that MuJoCo said; tests/data/robots/SOURCE.md."""
    path = BIPED
    if name != "biped":
        path = tmp_path / "robot.urdf"
        path.write_text(quadruped() if name == "quadruped" else arm())
    found = robots.read(path, floating=None if name == "biped" else False)
    known = json.loads((BIPED.parent / "mass_matrices.json").read_text())["robots"][name]
    M = numpy.array(known["M"])
    mine = found.mass_matrix(known["q"])[-len(M) :, -len(M) :]
    assert numpy.allclose(mine, M, rtol=0, atol=1e-10 * abs(M).max())


def test_shapes_weigh_what_random_points_say():
    from intertwine.robots._shapes import _shape

    rng = numpy.random.default_rng(0)
    for kind, size in (
        ("box", [0.1, 0.2, 0.3]),
        ("sphere", [0.2]),
        ("ellipsoid", [0.1, 0.2, 0.3]),
        ("cylinder", [0.2, 0.3]),
        ("capsule", [0.2, 0.3]),
    ):
        x = rng.uniform(-0.5, 0.5, (400_000, 3))
        r = numpy.hypot(x[:, 0], x[:, 1])
        inside = {
            "box": (abs(x) < numpy.array([0.1, 0.2, 0.3])).all(1), "sphere": (x**2).sum(1) < 0.04,
            "ellipsoid": ((x / numpy.array([0.1, 0.2, 0.3])) ** 2).sum(1) < 1, "cylinder": (r < 0.2) & (abs(x[:, 2]) < 0.3),
            "capsule": r**2 + numpy.clip(abs(x[:, 2]) - 0.3, 0, None) ** 2 < 0.04,
        }[kind]  # fmt: skip
        volume, squares = _shape(kind, size)
        assert volume == pytest.approx(inside.mean(), rel=0.03)
        assert numpy.allclose(squares, (x[inside] ** 2).mean(0), rtol=0.03)


# --- Files that are refused ----------------------------------------------------------------------------------------------


FOOT, HAND = link("a", 1.0, (0, 0, 0), (1, 1, 1)), link("b", 1.0, (0, 0, 1), (1, 1, 1))
TURN = joint("j", "continuous", "a", "b", (0, 0, 0), (0, 0, 1))


@pytest.mark.parametrize(
    "text, said",
    [
        ("<robot", "is no XML"),
        ("<sdf/>", "begins with <sdf>"),
        (robot("r"), "has no links"),
        (robot("r", FOOT), "has no joints that move"),
        (robot("r", FOOT, HAND, HAND, TURN), "has two links of the name 'b'"),
        (robot("r", FOOT, HAND, TURN, TURN), "has two joints of the name 'j'"),
        (robot("r", FOOT, HAND), "the links a, b have no parent, and one root is expected"),
        (robot("r", FOOT, link("b"), TURN), "the link 'b' moves and has no mass: give it an inertial"),
        (robot("r", FOOT, HAND, TURN, joint("k", "fixed", "a", "b", (0, 0, 0), (1, 0, 0))), "has two parents, by the joints 'j' and 'k': closed chains are not read"),
        (robot("r", FOOT, HAND, TURN, joint("k", "fixed", "b", "a", (0, 0, 0), (1, 0, 0))), "every link has a parent: closed chains are not read"),
        (robot("r", link("c", 1.0, (0, 0, 0), (1, 1, 1)), FOOT, HAND, TURN, joint("k", "fixed", "b", "a", (0, 0, 0), (1, 0, 0))), "in a circle of parents"),
        (robot("r", FOOT, HAND, TURN.replace('link="b"', 'link="c"')), "the child of the joint 'j' is 'c', which is no link"),
        (robot("r", FOOT, HAND, TURN.replace("continuous", "planar")), "is of the type 'planar'"),
        (robot("r", FOOT, HAND, TURN.replace("0.0 0.0 1.0", "0 0 0")), "has an axis of length 0"),
        (robot("r", FOOT, HAND, TURN.replace("0.0 0.0 1.0", "0 0 one")), "has '0 0 one' where 3 numbers are expected"),
        (robot("r", FOOT, HAND.replace('mass value="1.0"', 'mass value="-1"'), TURN), "the mass -1, which is negative"),
        (robot("r", FOOT, HAND.replace('<mass value="1.0"/>', ""), TURN), "an inertial without mass"),
        (robot("r", FOOT, HAND, TURN.replace("</joint>", '<mimic joint="x"/></joint>')), "mimics 'x', which is no joint that moves"),
    ],
)  # fmt: skip
def test_urdf_that_is_not_right(tmp_path, text, said):
    with pytest.raises(DomainError, match=re.escape(said)):
        read(tmp_path, text)


def test_a_fixed_joint_follows_nothing(tmp_path):
    still = joint("k", "fixed", "a", "c", (0, 0.1, 0), (1, 0, 0), more='<mimic joint="j" multiplier="1"/>')
    found = read(tmp_path, robot("r", FOOT, HAND, link("c", 1.0, (0, 0, 0), (1, 1, 1)), TURN, still))
    assert found.joint_names == ("j",) and not found.tree.mimics


def gripper(left, right):
    """Two hands of two fingers that go up; of each hand the finger at the right follows, as these words say."""
    parts = [link("trunk", 10.0, (0, 0, 0), (1, 2, 3))]
    for hand, y, words in (("left", 0.3, left), ("right", -0.3, right)):
        for finger, shift, more in (("l", 0.05, ""), ("r", -0.05, f'<mimic joint="{hand}_l_joint" {words}/>')):
            name = f"{hand}_{finger}"
            parts += [
                link(name, 1.0, (0.1, 0, 0), (0.1, 0.1, 0.1)),
                joint(f"{name}_joint", "prismatic", "trunk", name, (0.1, y + shift, 0), (0, 0, 1), more=more),
            ]
    return robot("gripper", *parts)


@pytest.mark.parametrize(
    "left, right, order",
    [
        ('multiplier="1"', 'multiplier="1"', 2), ('multiplier="-1"', 'multiplier="-1"', 2),
        ('multiplier="2"', 'multiplier="0.5"', 2), ('multiplier="2"', 'multiplier="2"', 1),
        ('multiplier="1"', 'multiplier="-1"', 1), ('offset="0.1"', 'offset="-0.1"', 2),
        ('offset="0.1"', 'offset="0.1"', 1), ('multiplier="2" offset="0.1"', 'multiplier="0.5" offset="-0.05"', 2),
    ],
)  # fmt: skip
def test_which_of_two_joints_follows_does_not_matter(tmp_path, left, right, order):
    """A mirror takes the finger that leads to one that follows: what counts is the equation between their positions."""
    found = read(tmp_path, gripper(left, right))
    assert found.group.order == order
    assert order == 2 or "its partner does not follow the partner of that" in " ".join(found.asymmetries)


def body(inside, name="a", geom='<geom size="0.1"/>'):
    return f'<body name="{name}">{inside}{geom}</body>'


HINGE = '<joint name="j"/>'


@pytest.mark.parametrize(
    "text, said",
    [
        (body(HINGE) + body('<joint name="k"/>'), "has two bodies of the name 'a'"),
        (body(HINGE) + body(HINGE, "b"), "has two joints of the name 'j'"),
        (body('<joint type="ball"/>'), "a joint of the type 'ball': hinges and slides are read"),
        (body("<freejoint/>" + body(HINGE, "b")) + body("<freejoint/>", "ball"), "several bodies that move by themselves, a, ball: give root="),
        (body(HINGE, geom=""), "the link 'a' moves and has no mass"),
        (body(HINGE, geom='<geom type="mesh" mesh="m"/>'), "a geom of the type 'mesh' whose mass is in another file"),
        (body(HINGE, geom='<geom type="box" size="1"/>'), "a box of the size '1': 3 positive numbers are expected"),
        (body(HINGE, geom='<geom class="heavy" size="1"/>'), "the class 'heavy' has no defaults"),
        (body(HINGE) + '<replicate count="3"/>', "copies (<replicate>), which are not read"),
        (body('<joint name="j" axis="0 0 0"/>'), "a direction of length 0"),
    ],
)  # fmt: skip
def test_mjcf_that_is_not_right(tmp_path, text, said):
    with pytest.raises(DomainError, match=re.escape(said)):
        read(tmp_path, f"<mujoco><worldbody>{text}</worldbody></mujoco>")


def test_mjcf_with_closed_chains_and_other_files(tmp_path):
    closed = f'<mujoco><worldbody>{body(HINGE)}{body("", "b")}</worldbody><equality><connect body1="a" body2="b" anchor="0 0 0"/></equality></mujoco>'
    with pytest.raises(DomainError, match="has a <connect> of a and b: closed chains are not read"):
        read(tmp_path, closed)
    (tmp_path / "parts.xml").write_text(f"<mujocoinclude>{body(HINGE)}</mujocoinclude>")
    text = '<mujoco><worldbody><include file="parts.xml"/></worldbody></mujoco>'
    assert read(tmp_path, text).joint_names == ("j",)
    with pytest.raises(DomainError, match="which cannot be read"):
        read(tmp_path, text.replace("parts", "nothing"))
    (tmp_path / "parts.xml").write_text('<mujocoinclude><include file="parts.xml"/></mujocoinclude>')
    with pytest.raises(DomainError, match="files include each other"):
        read(tmp_path, text)


def test_arguments_that_are_not_right(tmp_path):
    for settings, said in [
        ({"tolerance": 0.5}, "the tolerance is a number between 0 and 0.05"),
        ({"mass_tolerance": 2}, "mass_tolerance is a number between 0 and 1"),
        ({"root": "trunk"}, "root is for MJCF"),
    ]:
        with pytest.raises(DomainError, match=said):
            read(tmp_path, quadruped(), **settings)
    with pytest.raises(DomainError, match="cannot be read: No such file"):
        robots.read(tmp_path / "nothing.urdf")
    with pytest.raises(DomainError, match="has 0 bodies of the name 'tail'"):
        robots.read(BIPED, root="tail")
    with pytest.raises(DomainError, match="q has the shape"):
        robots.read(BIPED).mass_matrix([0, 0])


def test_parts_of_a_body_that_are_fixed_to_each_other():
    """Two halves of a rod, by the formula of a rod; and the words of rotations."""
    half = (0.5, numpy.array([0.25, 0, 0]), numpy.diag([0, 0.5 / 48, 0.5 / 48]))
    other = (0.5, numpy.array([-0.25, 0, 0]), half[2])
    mass, centre, inertia = _tree.merged([half, other])
    assert mass == 1 and numpy.allclose(centre, 0) and numpy.allclose(inertia, numpy.diag([0, 1 / 12, 1 / 12]))
    assert inertial(1.0, (0, 0, 0), (1, 1, 1)).startswith("<inertial>")
    said = robots._search.named(_tree.turned_by(numpy.array([0, 0, 1.0]), math.pi / 3))
    assert said == "turn by 60 degrees about (0, 0, 1)"
    assert robots._search.named(-numpy.eye(3)) == "inversion"


# --- Augmentation -----------------------------------------------------------------------------------------------------


def test_augmentation_of_batches_is_that_of_rsl_rl():
    """The batch first, then every symmetry of it; tensors by the name of old versions, and dicts of new ones."""
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    G = Group("C2 x C2")
    V, W, U = (G.rep(R) for R in ("2*regular + irrep(2)", "regular", "regular + irrep(3)"))
    augment = robots.data_augmentation_func({"policy": V, "critic": W}, U)
    x, z, u = (torch.randn(5, R.dimension) for R in (V, W, U))
    both, done = augment(env=None, obs={"policy": x, "critic": z}, actions=u)
    assert augment.times == 4 and both["policy"].shape == (20, 9) and done.shape == (20, 5)
    assert torch.equal(both["policy"][:5], x) and torch.equal(done[:5], u)
    elements = [g for g in G if g != G.identity]
    for k, g in enumerate(elements, 1):
        for R, given, found in ((V, x, both["policy"]), (W, z, both["critic"]), (U, u, done)):
            A = torch.tensor(R.matrix(g).tolist(), dtype=torch.float32)
            torch.testing.assert_close(found[5 * k : 5 * k + 5], given @ A.T)
    policy, _ = augment(obs=x, actions=None, obs_type="policy")
    assert torch.equal(policy, both["policy"]) and _ is None
    nothing, again = pickle.loads(pickle.dumps(augment))(obs=None, actions=u)
    assert nothing is None and torch.equal(again, done)
    alone = robots.data_augmentation_func(W, W)(obs=z.double(), actions=z.double())
    assert alone[0].dtype == torch.float64 and torch.equal(*alone)
    for call, words in [
        (lambda: augment(obs=z), r"the observations 'policy' have the shape \[5, 4\], and their type"),
        (lambda: augment(actions=x), r"the actions have the shape \[5, 9\]"),
        (lambda: augment(obs=x, obs_type="teacher"), "no type of the observations 'teacher': give one beside 'policy', 'critic'"),
        (lambda: robots.data_augmentation_func(V, Group("C2").rep("regular")), "are of C2 x C2, and the actions of C2"),
        (lambda: robots.data_augmentation_func(Group("O(3)").rep("vector"), Group("O(3)").rep("vector")), "infinitely many"),
        (lambda: robots.data_augmentation_func({}, U), "observations are a representation or a dict"),
    ]:  # fmt: skip
        with pytest.raises(DomainError, match=words):
            call()
