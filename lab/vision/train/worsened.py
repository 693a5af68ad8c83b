"""Effects of cameras, formats and packing on small indices, for many patches at once, on any PyTorch device.

Patches are BGR float32 0..255, shape (n, 3, height, width). All patches of a ``spoiled`` call share sizes, blur and
packing, so it is called with few at a time; light, noise, turn and shift are each patch's own.
"""
# mypy: disable-error-code="import-not-found,misc,no-any-return,no-untyped-call,import-untyped"

from __future__ import annotations

import math
from functools import cache
from typing import Any, Final

import torch
from torch import nn

GREY: Final = (0.114, 0.587, 0.299)
_LUMA: Final = (
    (16, 11, 10, 16, 24, 40, 51, 61),
    (12, 12, 14, 19, 26, 58, 60, 55),
    (14, 13, 16, 24, 40, 57, 69, 56),
    (14, 17, 22, 29, 51, 87, 80, 62),
    (18, 22, 37, 56, 68, 109, 103, 77),
    (24, 35, 55, 64, 81, 104, 113, 92),
    (49, 64, 78, 87, 103, 121, 120, 101),
    (72, 92, 95, 98, 112, 100, 103, 99),
)
"""Steps of JPEG for brightness at quality 50 (ISO/IEC 10918-1, table K.1)."""
_CHROMA: Final = (17, 18, 24, 47, 99, 99, 99, 99)
"""Those for colour, by the larger of both frequencies (table K.2 with its corners evened out)."""


def uniform(chance: Any, low: float, high: float) -> float:
    """One number of the CPU generator ``chance``."""
    return low + (high - low) * float(torch.rand((), generator=chance))


def moved(stored: Any, size: tuple[int, int]) -> Any:
    """Patches of ``size`` (width, height) cut out of the middle of ``stored``, each turned, stretched and shifted."""
    n, device = len(stored), stored.device
    tall, wide = stored.shape[2:]
    turn = torch.randn(n, device=device) * math.radians(5)
    c, s = torch.cos(turn), torch.sin(turn)
    slant, gx, gy = (torch.randn(n, device=device) * k for k in (0.12, 0.1, 0.1))
    gx, gy = torch.exp(gx), torch.exp(gy)
    # turn . slant . stretch, as lab.vision.train.samples.reader_batch has it
    a, b = c * gx, (c * slant - s) * gy
    d, e = s * gx, (s * slant + c) * gy
    sx, sy = (torch.randn(n, device=device) * 1.5 for _ in range(2))
    # grid_sample's coordinates run from -1 to 1 over the pictures' edges
    fx, fy = size[0] / wide, size[1] / tall
    view = torch.stack(
        [
            torch.stack([a * fx, b * size[1] / wide, sx * 2 / wide], 1),
            torch.stack([d * size[0] / tall, e * fy, sy * 2 / tall], 1),
        ],
        1,
    )
    grid = nn.functional.affine_grid(view, [n, 3, size[1], size[0]], align_corners=False)
    return nn.functional.grid_sample(stored, grid, mode="bilinear", padding_mode="border", align_corners=False)


LEAST: Final = 9 / 28
"""Least share to which a patch is made smaller: of an index 28 px tall 9 px remain."""


def spoiled(patches: Any, chance: Any, least: float = LEAST) -> Any:
    """The patches as a worse camera gives them: fewer pixels, blur, movement, sharpening, noise, JPEG; or not.

    ``least``: they are made no smaller than this before they are seen in their size again.
    """
    out = patches
    if uniform(chance, 0, 1) < 0.45:
        out = _blurred(out, chance)
    if uniform(chance, 0, 1) < 0.5:
        tall, wide = patches.shape[2:]
        # an index of 28 px becomes one of 9 to 28, pressed by up to a third
        small = math.exp(uniform(chance, math.log(least), 0.0))
        pressed = math.exp(uniform(chance, -0.3, 0.3))
        size = (max(14, round(tall * small * pressed)), max(12, round(wide * small / pressed)))
        size = (min(tall, size[0]), min(wide, size[1]))
        out = nn.functional.interpolate(out, size=size, mode="area")
        if uniform(chance, 0, 1) < 0.5:
            out = out + torch.randn_like(out) * uniform(chance, 1, 8)
        if uniform(chance, 0, 1) < 0.6:
            out = packed(out, uniform(chance, 25, 90))
        out = nn.functional.interpolate(out, size=(tall, wide), mode="bilinear", align_corners=False)
    if uniform(chance, 0, 1) < 0.12:
        soft = _filtered(out, _gauss(1.2, out.device))
        out = out + (out - soft) * uniform(chance, 0.4, 1.8)
    return out.clamp(0, 255)


def _blurred(patches: Any, chance: Any) -> Any:
    if uniform(chance, 0, 1) < 0.6:
        return _filtered(patches, _gauss(uniform(chance, 0.4, 1.9), patches.device))
    reach, angle = uniform(chance, 1.0, 4.0), uniform(chance, 0, math.pi)
    kernel = torch.zeros(9, 9)
    for step in range(-16, 17):  # along the way that the camera or the card went
        x, y = 4 + reach * step / 16 * math.cos(angle), 4 + reach * step / 16 * math.sin(angle)
        ix, iy = int(x), int(y)
        for dx, dy in ((0, 0), (0, 1), (1, 0), (1, 1)):
            share = (1 - abs(x - ix - dx)) * (1 - abs(y - iy - dy))
            if ix + dx < 9 and iy + dy < 9:
                kernel[iy + dy, ix + dx] += share
    return _filtered(patches, (kernel / kernel.sum()).to(patches.device))


def _gauss(sigma: float, device: Any) -> Any:
    reach = torch.arange(-4, 5, dtype=torch.float32)
    line = torch.exp(-(reach**2) / (2 * sigma * sigma))
    line = line / line.sum()
    return (line[:, None] * line[None]).to(device)


def _filtered(patches: Any, kernel: Any) -> Any:
    """Each colour of each patch under one 9 x 9 kernel."""
    n, colours, tall, wide = patches.shape
    flat = nn.functional.pad(patches.reshape(n * colours, 1, tall, wide), (4, 4, 4, 4), mode="replicate")
    return nn.functional.conv2d(flat, kernel[None, None]).reshape(n, colours, tall, wide)


@cache
def _cosines(device: Any) -> Any:
    k, x = torch.arange(8, dtype=torch.float32)[:, None], torch.arange(8, dtype=torch.float32)[None]
    basis = torch.cos((2 * x + 1) * k * math.pi / 16) * 0.5
    basis[0] /= math.sqrt(2)
    return basis.to(device)


@cache
def _steps(device: Any) -> tuple[Any, Any]:
    chroma = [[_CHROMA[max(i, j)] for j in range(8)] for i in range(8)]
    return torch.tensor(_LUMA, dtype=torch.float32, device=device), torch.tensor(
        chroma, dtype=torch.float32, device=device
    )


def _coarse(plane: Any, steps: Any) -> Any:
    """Planes (n, height, width) as JPEG keeps them: 8 x 8 blocks of cosines in coarse steps."""
    n, tall, wide = plane.shape
    plane = nn.functional.pad(plane[:, None], (0, -wide % 8, 0, -tall % 8), mode="replicate")[:, 0]
    rows, columns = plane.shape[1] // 8, plane.shape[2] // 8
    blocks = plane.reshape(n, rows, 8, columns, 8).permute(0, 1, 3, 2, 4) - 128
    basis = _cosines(plane.device)
    waves = torch.round(basis @ blocks @ basis.T / steps) * steps
    back = (basis.T @ waves @ basis + 128).permute(0, 1, 3, 2, 4).reshape(n, rows * 8, columns * 8)
    return back[:, :tall, :wide]


def packed(patches: Any, quality: float) -> Any:
    """The patches as JPEG of ``quality`` (1 to 99) gives them back, colours at half the size."""
    scale = (50 / quality if quality < 50 else 2 - quality / 50) or 0.02
    luma, chroma = (torch.clamp(torch.round(s * scale), min=1) for s in _steps(patches.device))
    grey = sum(w * patches[:, k] for k, w in enumerate(GREY))
    size = grey.shape[1:]
    half = [max(1, -(-side // 2)) for side in size]
    out_grey = _coarse(grey, luma)
    parts = []
    for k, scale_back in ((0, 0.564), (2, 0.713)):  # Cb and Cr (ITU-R BT.601)
        colour = ((patches[:, k] - grey) * scale_back + 128)[:, None]
        small = _coarse(nn.functional.interpolate(colour, size=half, mode="area")[:, 0], chroma)
        grown = nn.functional.interpolate(small[:, None], size=size, mode="bilinear", align_corners=False)[:, 0]
        parts.append((grown - 128) / scale_back + out_grey)
    blue, red = parts
    green = (out_grey - GREY[0] * blue - GREY[2] * red) / GREY[1]
    return torch.stack([blue, green, red], 1).clamp(0, 255)


def lit(patches: Any) -> Any:
    """The patches, each in another light: gain, offset, cast, gamma, haze; some grey or noisy; rounded as bytes are."""
    n, device = len(patches), patches.device

    def each(low: float, high: float, *shape: int) -> Any:
        return low + (high - low) * torch.rand(n, *(shape or (1, 1, 1)), device=device)

    def some(share: float) -> Any:
        return (torch.rand(n, 1, 1, 1, device=device) < share).float()

    out = patches * torch.exp(each(math.log(0.6), math.log(1.3))) * each(0.93, 1.07, 3, 1, 1) + each(-18, 18)
    out = out.clamp(0, 255)
    bent = 255 * (out / 255) ** torch.exp(each(math.log(0.6), math.log(1.6)))
    out = torch.lerp(out, bent, some(0.25))
    grey = (out * torch.tensor(GREY, device=device)[None, :, None, None]).sum(1, keepdim=True)
    out = torch.lerp(out, grey.expand_as(out), some(0.1))
    keep = 1 - some(0.1) * each(0.1, 0.6)
    out = out * keep + (1 - keep) * each(60, 240)
    out = out + torch.randn_like(out) * each(1, 7) * some(0.3)
    return torch.round(out.clamp(0, 255))
