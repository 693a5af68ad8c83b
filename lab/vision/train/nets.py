"""The two networks, as PyTorch modules; ``vision.finder`` and ``vision.index_reader`` run their ONNX exports.

Both take BGR pictures as float32 in 0..255, shape (n, 3, height, width).
"""
# mypy: disable-error-code="import-not-found,misc,no-any-return,no-untyped-call,import-untyped"

from __future__ import annotations

from typing import Any

import torch
from torch import nn


def block(inputs: int, outputs: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    """A convolution of 3 x 3, evened over the batch, without what is below zero: (n, inputs, h, w) to outputs."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, dilation, dilation, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()
    )


class FinderNet(nn.Module):
    """A heat-map of corner indices at a quarter of the picture's size.

    Answers (n, 4, height/4, width/4): heat (0..1), up vector x and y (pixels, y down), log2 of the index's height
    over 28 px. Height and width must be multiples of 8.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(block(3, 16, 2), block(16, 32, 2), block(32, 32))
        self.deep = nn.Sequential(
            block(32, 48, 2), block(48, 48), block(48, 48, dilation=2), block(48, 48, dilation=4), block(48, 48)
        )
        self.up = nn.Sequential(nn.Conv2d(48, 32, 1, bias=False), nn.Upsample(scale_factor=2, mode="nearest"))
        self.head = nn.Sequential(block(32, 32), nn.Conv2d(32, 4, 1))
        nn.init.constant_(self.head[1].bias[0], -4.0)

    def raw(self, picture: Any) -> Any:
        """Compute as forward does, but give the heat as a logit."""
        shallow = self.stem(picture / 127.5 - 1.0)
        return self.head(torch.relu(shallow + self.up(self.deep(shallow))))

    def forward(self, picture: Any) -> Any:
        """See the class."""
        out = self.raw(picture)
        return torch.cat([torch.sigmoid(out[:, :1]), out[:, 1:]], dim=1)


def evened(patch: Any) -> Any:
    """Patches (n, 3, height, width) without each one's own light: a dark or hazy one looks like a bright one then."""
    away = patch - patch.mean(dim=(1, 2, 3), keepdim=True)
    spread = (away * away).mean(dim=(1, 2, 3), keepdim=True).sqrt()
    return away / (spread + 4.0)


class ReaderNet(nn.Module):
    """Reader of one upright patch: logits of 13 ranks, of 4 suits (H D C S), of suited / joker / none of these.

    Answers (n, 20). Patches are 40 wide and 48 high.
    """

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(
            block(3, 32),
            nn.MaxPool2d(2),
            block(32, 48),
            block(48, 48),
            nn.MaxPool2d(2),
            block(48, 80),
            block(80, 80),
            nn.MaxPool2d(2),
            nn.Flatten(),
            nn.Dropout(0.25),
            nn.Linear(80 * 6 * 5, 160),
            nn.ReLU(),
            nn.Linear(160, 20),
        )

    def forward(self, patch: Any) -> Any:
        """See the class."""
        return self.with_features(patch)[0]

    def with_features(self, patch: Any) -> tuple[Any, Any]:
        """The answer, and the 160 numbers (n, 160) it is made of: how an enrolled pack knows its faces again."""
        features = self.look[:-1](evened(patch))
        return self.look[-1](features), features


class ReaderForUse(nn.Module):
    """A ReaderNet as it is exported: two outputs."""

    def __init__(self, net: ReaderNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, patch: Any) -> Any:
        """Answer and features."""
        return self.net.with_features(patch)
