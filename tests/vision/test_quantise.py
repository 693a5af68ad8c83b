"""From the trained networks to those that are run: 8 bits must find and read what 32 bits do."""

from pathlib import Path

import numpy as np
import pytest

from lab.vision.train import samples as data
from lab.vision.train.decks import own_decks
from vision.finder import WEIGHTS, Finder, Spot
from vision.index_reader import IndexReader

quantise = pytest.importorskip("lab.vision.train.quantise", reason="onnx is not installed", exc_type=ImportError)
SEED = [404, 1]
pytestmark = pytest.mark.xdist_group("kept-eight-bits")  # one worker makes the networks


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both networks of the package in 8 bits, calibrated on a few pictures of our own pack."""
    out = tmp_path_factory.mktemp("eight")
    packs, rng = own_decks(), np.random.default_rng(SEED)
    whole = data.draw_pictures(packs, [], [*SEED, 1], 16)
    cut = data.draw_patches(packs, [], [*SEED, 2], 4, Finder(WEIGHTS / "float" / "finder.onnx"))
    pictures = [data.finder_batch(rng, whole, {}, 8)[0] for _ in range(2)]
    patches = [data.reader_batch(rng, cut, np.arange(k, k + 40))[0] for k in (0, 40)]
    quantise.write(WEIGHTS / "float", out, pictures, patches, "minmax")
    return out


@pytest.fixture(scope="module")
def drawn() -> data.Samples:
    """Pictures of our own packs that neither network was calibrated on."""
    return data.draw_pictures(own_decks(), [], [*SEED, 3], 20)


def _shown(picture: int, samples: data.Samples) -> list[Spot]:
    rows = samples.corners[samples.corners[:, 0] == picture]
    return [Spot(float(x), float(y), (float(a), float(b)), float(h), 1.0) for _, x, y, a, b, h, s in rows if s > 0.9]


@pytest.mark.slow(seconds=9)
def test_eight_bits_find_and_read_what_thirty_two_do(made: Path, drawn: data.Samples) -> None:
    whole, small, samples = IndexReader(WEIGHTS / "float"), IndexReader(made), drawn
    found = {"whole": 0, "small": 0}
    same = places = 0
    for n, picture in enumerate(samples.pictures):
        spots = _shown(n, samples)
        one, other = whole.read(picture, spots), small.read(picture, spots)
        places += len(spots)
        same += sum(a.face == b.face for a, b in zip(one, other, strict=True))
        for name, reader in (("whole", whole), ("small", small)):
            seen = reader.finder.find(picture)
            found[name] += sum(any(np.hypot(s.x - t.x, s.y - t.y) < 0.3 * s.height for t in seen) for s in spots)
    assert places > 50
    assert same >= 0.95 * places
    assert found["small"] >= 0.95 * found["whole"] > 0.8 * places


@pytest.mark.slow
def test_eight_bits_take_bytes_and_are_a_third_as_large(made: Path) -> None:
    for name, limit in (("finder.onnx", 0.4), ("reader.onnx", 0.35)):
        assert (made / name).stat().st_size < limit * (WEIGHTS / "float" / name).stat().st_size
    # a network that took floats would find nothing in bytes that are as dark as these
    dark = np.full((64, 64, 3), 3, np.uint8)
    assert Finder(made / "finder.onnx").find(dark) == []


@pytest.mark.slow(seconds=8)
def test_the_weights_of_the_package_are_those_of_its_training(drawn: data.Samples) -> None:
    """Who trains anew and forgets to quantise would run the networks of before."""
    whole, small, samples = IndexReader(WEIGHTS / "float"), IndexReader(), drawn
    looks = []
    for n, picture in enumerate(samples.pictures):
        spots = _shown(n, samples)
        pairs = zip(whole.read(picture, spots), small.read(picture, spots), strict=True)
        looks += [float(a.feature @ b.feature) for a, b in pairs if a.feature is not None and b.feature is not None]
    assert len(looks) > 50
    assert np.median(looks) > 0.995  # those of a training before, which this one only went on from, come to 0.978
