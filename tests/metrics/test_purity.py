"""`ragdash.metrics` needs numpy and nothing else."""

import subprocess
import sys

FORBIDDEN = ("pandas", "pyarrow", "scipy", "streamlit", "plotly", "ragdash.errors", "ragdash.data")
CODE = """
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if any(name == one or name.startswith(one + ".") for one in {forbidden!r}):
            raise AssertionError("imported " + name)
sys.meta_path.insert(0, Refuse())
from ragdash.metrics import RetrievalEvaluator
print(RetrievalEvaluator().recall_at_k(["a", "b"], {{"b", "c"}}, 2))
"""


def test_numpy_alone_is_enough():
    ran = subprocess.run(
        [sys.executable, "-c", CODE.format(forbidden=FORBIDDEN)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == "0.5\n"
