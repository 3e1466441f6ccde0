"""A U-Net whose output turns and mirrors with its image: noisy heights to the slopes of the ground below."""

import argparse

import torch
from intertwine import Group
from intertwine.nn import Activation, BatchNorm, Conv2d, ConvTranspose2d, Upsample, check_equivariance
from torch import nn

D4 = Group("D4")
IMAGE, HIDDEN, SLOPE = D4.rep("trivial"), D4.rep("regular"), D4.rep("coordinates")


class Twice(nn.Sequential):
    """Two convolutions with what stands between them."""

    def __init__(self, source, channels_in, channels):
        super().__init__(
            Conv2d(source, HIDDEN, channels_in, channels, 3, padding=1),
            BatchNorm(HIDDEN, channels, axes=2),
            Activation(HIDDEN, torch.relu),
            Conv2d(HIDDEN, HIDDEN, channels, channels, 3, padding=1),
            Activation(HIDDEN, torch.relu),
        )


class UNet(nn.Module):
    """x [batch, 1, 1, n, n] -> slopes [batch, 1, 2, n, n], n = 4 m + 1.

    Windows of three sites with stride 2 begin and end at the edge of an odd grid, so that every turn and mirror of the
    image is one of the coarse grids, too. other="upsample" goes up by interpolation, other="transposed" by transposed
    convolutions.
    """

    def __init__(self, channels=4, other="transposed"):
        super().__init__()
        self.first = Twice(IMAGE, 1, channels)
        self.down = nn.ModuleList(
            Conv2d(HIDDEN, HIDDEN, width, 2 * width, 3, stride=2, padding=1) for width in (channels, 2 * channels)
        )
        self.middle = nn.ModuleList(Twice(HIDDEN, width, width) for width in (2 * channels, 4 * channels))
        self.up = nn.ModuleList(self._up(width, other) for width in (4 * channels, 2 * channels))
        self.joined = nn.ModuleList(Twice(HIDDEN, 2 * width, width) for width in (2 * channels, channels))
        self.last = Conv2d(HIDDEN, SLOPE, channels, 1, 1)

    @staticmethod
    def _up(width, other):
        if other == "transposed":
            return ConvTranspose2d(HIDDEN, HIDDEN, width, width // 2, 3, stride=2, padding=1)
        # Twice the sites, and a window of two that takes one off: 2 m - 1.
        return nn.Sequential(Upsample(HIDDEN, 2, "bilinear"), Conv2d(HIDDEN, HIDDEN, width, width // 2, 2))

    def forward(self, x):
        levels = [self.first(x)]
        for down, middle in zip(self.down, self.middle):
            levels.append(middle(down(levels[-1])))
        y = levels.pop()
        for up, joined in zip(self.up, self.joined):
            y = joined(torch.cat((up(y), levels.pop()), 1))
        return self.last(y)


def landscapes(count, n=17, noise=0.5, seed=0):
    """Heights with noise [count, 1, 1, n, n], and the slopes [count, 1, 2, n, n] of the heights without it."""
    generator = torch.Generator().manual_seed(seed)
    at = torch.arange(n) - (n - 1) / 2
    place = torch.stack(torch.meshgrid(at, at, indexing="ij"))
    centres = n * (torch.rand(count, 3, 2, 1, 1, generator=generator) - 0.5)
    size = torch.randn(count, 3, 1, 1, 1, generator=generator)
    away = place - centres
    bumps = size * torch.exp(-away.square().sum(2, keepdim=True) / 18)
    heights, slopes = bumps.sum(1), -(bumps * away / 9).sum(1)
    return (heights + noise * torch.randn(heights.shape, generator=generator))[:, None], 4 * slopes[:, None]


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--steps", type=int, default=60)
    words.add_argument("--other", choices=("transposed", "upsample"), default="transposed")
    given = words.parse_args()
    torch.manual_seed(0)
    net = UNet(other=given.other)
    optimiser = torch.optim.Adam(net.parameters(), lr=0.01)
    for step in range(given.steps):
        x, y = landscapes(16, seed=step)
        loss = (net(x) - y).square().mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    x, y = landscapes(64, seed=10**6)
    net.eval()
    with torch.no_grad():
        share = float((net(x) - y).square().mean() / y.square().mean())
    print(f"{sum(p.numel() for p in net.parameters())} parameters, {given.steps} steps")
    print(f"unexplained share of the slopes: {share:.2f}")
    report = check_equivariance(net.double(), IMAGE, SLOPE, grid=(17, 17))
    print(report)
    assert report


if __name__ == "__main__":
    main()
