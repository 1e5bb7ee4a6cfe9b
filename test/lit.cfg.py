# SPDX-FileCopyrightText: the lowp authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How lit runs the tests: suffixes, tools, and features that tests may require. `gpu` (with `gpu-CHIP`) is there when the
# environment variable LOWP_GPU names the chip of a device; everything else runs on any machine.

import os

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import FindTool, ToolSubst

config.name = "lowp"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".py", ".test"]
config.excludes = ["Inputs", "lit.cfg.py", "lit.site.cfg.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.lowp_obj_root, "test")

llvm_config.with_system_environment(["HOME", "TMP", "TEMP", "TMPDIR", "LOWP_GPU", "LOWP_LONG"])
llvm_config.with_environment("PYTHONPATH", os.path.join(config.lowp_obj_root, "python"))
# FileCheck, not, count, split-file.
llvm_config.use_default_substitutions()

tools = os.path.join(config.lowp_obj_root, "bin")
# Every tool of ours; those that are built are called by their path in this build.
ours = ["lowp-lsp-server", "lowp-bench", "lowp-opt", "lowp-run", "lowpc", "sim-test"]
present = [tool for tool in ours if os.path.exists(os.path.join(tools, tool))]
llvm_config.add_tool_substitutions(present, [tools])
llvm_config.add_tool_substitutions(
    [ToolSubst(tool, unresolved="fatal") for tool in ["llvm-objdump", "llvm-readelf", "llvm-mc", "ld.lld", "split-file"]],
    [config.llvm_tools_dir])
config.substitutions.append(("%python", config.python))
# OpenCL C for the simulator: clang-22 and lld-22 are installed beside LLVM's tools.
config.substitutions.append(("%clang", os.path.join(config.llvm_tools_dir, "clang")))
config.substitutions.append(("%src_root", config.lowp_src_root))
config.substitutions.append(("%obj_root", config.lowp_obj_root))

# For REQUIRES: which of our tools this build has.
for tool in present:
    config.available_features.add(tool)
if os.path.isdir(os.path.join(config.lowp_obj_root, "python", "lowp")):
    config.available_features.add("python")
if config.have_assertions == "ON":
    config.available_features.add("assertions")
if config.sanitizer:
    config.available_features.add("sanitizers")
if os.environ.get("LOWP_GPU"):
    config.available_features.update(["gpu", "gpu-" + os.environ["LOWP_GPU"]])

# Random tests: one seed for the fast runs, so that they tell the same every time; the long run draws a new one and prints it.
if os.environ.get("LOWP_LONG"):
    seed = str(int.from_bytes(os.urandom(4), "little"))
    lit_config.note("seed of the random tests: " + seed)
    config.available_features.add("long")
else:
    seed = "20261130"
config.substitutions.append(("%{seed}", seed))
# How many random problems: sanitizers make each take long.
config.substitutions.append(("%{problems}", "20" if config.sanitizer else "200"))
