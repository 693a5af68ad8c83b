"""Training of the models of ``vision``: an option for people who want to change them, never needed to run.

Needs PyTorch beside the locked dependencies (see ``vision/weights/README.md``); CI and users never train.
"""
