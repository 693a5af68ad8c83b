"""The second reader, as a PyTorch module: what doubted indices are read with again (``vision.second_reader``).

It sees an index from farther off than ``ReaderNet`` does, so that a large pip beside it and the card's edge show,
and has about five times its weights and its work: too slow for every place of a frame, not for those in doubt.
"""
# mypy: disable-error-code="import-not-found,misc,no-any-return,no-untyped-call,import-untyped"

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from lab.vision.train.nets import block, evened


class _Residual(nn.Module):
    """Two convolutions whose answer is added to what came in."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.one = block(width, width)
        self.two = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Any) -> Any:
        """See the class."""
        return torch.relu(x + self.two(self.one(x)))


class WideReaderNet(nn.Module):
    """Reader of one upright patch of 48 x 56 pixels: logits of 13 ranks, 4 suits, suited / joker / none of these.

    Takes (n, 3, 56, 48) BGR 0..255 as ``ReaderNet`` does, and answers (n, 20) as it does.
    """

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(
            block(3, 32),
            block(32, 48, 2),
            _Residual(48),
            block(48, 96, 2),
            _Residual(96),
            _Residual(96),
            block(96, 160, 2),
            _Residual(160),
            _Residual(160),
            nn.Conv2d(160, 64, 1, bias=False),
            nn.BatchNorm2d(64),
            nn.ReLU(),
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(64 * 7 * 6, 192),
            nn.ReLU(),
            nn.Linear(192, 20),
        )

    def forward(self, patch: Any) -> Any:
        """See the class."""
        return self.look(evened(patch))
