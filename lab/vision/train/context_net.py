"""The network of ``vision.context_reader``, as a PyTorch module."""
# mypy: disable-error-code="import-not-found,misc,no-any-return,no-untyped-call,import-untyped"

from __future__ import annotations

from typing import Any

from torch import nn

from lab.vision.train.nets import block, evened


class ContextNet(nn.Module):
    """Reader of an upright view of the card around an index: logits of 13 ranks and 4 suits.

    Takes (n, 3, 64, 64) BGR 0..255, the index as ``vision.context_reader.cut_view`` places it; answers (n, 17).
    """

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(
            block(3, 24, 2),
            block(24, 48, 2),
            block(48, 80),
            block(80, 96, 2),
            block(96, 128),
            nn.Conv2d(128, 40, 1, bias=False),
            nn.BatchNorm2d(40),
            nn.ReLU(),
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(40 * 8 * 8, 160),
            nn.ReLU(),
            nn.Linear(160, 17),
        )

    def forward(self, view: Any) -> Any:
        """See the class."""
        return self.look(evened(view))
