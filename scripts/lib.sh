# Shared by the scripts of this folder; sourced, never run. Leaves the caller in the repository's root.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD

say() { printf '\n== %s\n' "$*" >&2; }
die() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }

# known_machine NAME: stops unless portable wheels are built for it.
known_machine() {
  case $1 in x86_64 | aarch64) ;; *) die "'$1' is no machine that it knows: take x86_64 or aarch64" ;; esac
}

# Debian's names (bookworm and later).
library_packages="libboost-dev libflint-dev libmpfr-dev libgmp-dev libpng-dev libstb-dev zlib1g-dev nlohmann-json3-dev libfmt-dev libeigen3-dev libsymspg-dev"
program_packages="$library_packages libcli11-dev"
test_packages="$program_packages catch2 python3 python3-numpy"
bench_packages="$test_packages libbenchmark-dev"
python_packages="$library_packages python3 python3-venv python3-dev"
clang_packages="$test_packages clang-15"

# need_packages NAME...: installs what is missing, as root or by sudo; otherwise names it and stops.
# Elsewhere than on Debian and its kin, CMake says what it does not find.
need_packages() {
  command -v dpkg-query >/dev/null && command -v apt-get >/dev/null || return 0
  local missing=() package
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  command -v c++ >/dev/null || missing+=(g++)
  tool_at_least cmake 3.25 || missing+=(cmake)
  command -v ninja >/dev/null || command -v make >/dev/null || missing+=(ninja-build)
  [ ${#missing[@]} -gt 0 ] || return 0

  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
      die "these packages are missing, and there is neither root nor sudo to install them: ${missing[*]}"
    fi
    as_root=(sudo)
    [ -t 0 ] || as_root=(sudo -n)  # nobody is there to type a password
  fi
  say "Installing ${missing[*]}"
  "${as_root[@]}" apt-get update -q >&2 </dev/null || say "apt-get update failed; trying with the lists at hand"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends "${missing[@]}" >&2 </dev/null ||
    die "could not install: ${missing[*]}"
}

# tool_at_least TOOL VERSION: is TOOL in the path and at least of that version?
tool_at_least() {
  local found
  found=$("$1" --version 2>/dev/null | grep -om1 '[0-9]\+\.[0-9.]\+') || return 1
  [ "$(printf '%s\n%s\n' "$2" "$found" | sort -V | head -n1)" = "$2" ]
}

# need_python PYTHON: stops unless the package runs with it.
need_python() {
  "$1" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || die "Python 3.10 or later is needed; set PYTHON to one"
}

# A compiler cache may take precompiled headers, as ccache's manual asks for them, and objects of another checkout: paths are relative to the root.
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros}
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$root} CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR:-1}

# configure FOLDER OPTION...: with Ninja and ccache where they are; a cache of another checkout is dropped.
configure() {
  local build=$1 options=()
  shift
  if [ -f "$build/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt"; then
    rm -rf "$build/CMakeCache.txt" "$build/CMakeFiles"
  fi
  if [ ! -f "$build/CMakeCache.txt" ]; then
    command -v ninja >/dev/null && options+=(-G Ninja)
    command -v ccache >/dev/null && options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  tool_at_least cmake 3.25 || die "CMake 3.25 or later is needed; the first one in the path is $(command -v cmake || echo missing)"
  cmake -S . -B "$build" ${options[@]+"${options[@]}"} "$@" >&2
}

# compile FOLDER [TARGET...]: on all cores.
compile() {
  local build=$1
  shift
  cmake --build "$build" --parallel "$(jobs_here)" ${1:+--target "$@"} >&2
}

# As many jobs as cores, but none without 2 GB of memory.
jobs_here() {
  local cores memory
  cores=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)
  memory=$(awk '/MemAvailable/ {print int($2 / 2000000)}' /proc/meminfo 2>/dev/null || echo "$cores")
  [ "${memory:-$cores}" -ge 1 ] || memory=1
  [ "$memory" -lt "$cores" ] && echo "$memory" || echo "$cores"
}

# pack FOLDER: the Debian package of a build. Who may read what is in it is no matter of the caller's umask.
pack() {
  (umask 022 && cd "$1" && rm -f ./*.deb && cpack -G DEB >log.cpack 2>&1) || { cat "$1/log.cpack" >&2; die "cpack failed"; }
}

# build_wheel PYTHON FOLDER OPTION...: a wheel of the Python package in FOLDER, with what the build says.
build_wheel() {
  local python=$1 folder=$2
  shift 2
  [ -z "${CCACHE_DISABLE:-}" ] && command -v ccache >/dev/null && set -- "$@" --config-settings=cmake.define.CMAKE_CXX_COMPILER_LAUNCHER=ccache
  CMAKE_BUILD_PARALLEL_LEVEL=$(jobs_here) "$python" -m pip wheel -v --no-deps --disable-pip-version-check -w "$folder" "$@" . 2>&1 |
    grep --line-buffered -E '^ *(\[[0-9]+/[0-9]+\]|\*\*\*|ERROR|error|.*(error|Error|warning): )' >&2 ||
    die "the wheel was not built; for all that the build says: $python -m pip wheel -v --no-deps ."
}
