"""Machine-checked proofs of rewrites: exact evaluation of a model before and after a pass.

from ncnn_opt.proofs import prove
proof = prove("fuse-conv-bn", module)
"""

from .proof import Counterexample, Proof, Status, prove

__all__ = ["Counterexample", "Proof", "Status", "prove"]
