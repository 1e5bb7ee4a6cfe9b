// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One list of columns makes the header and the rows, so that they cannot disagree.
#include "lowp/Driver/BenchTable.h"

#include "llvm/Support/FormatVariadic.h"
#include <utility>

using namespace lowp;

using Columns = std::vector<std::pair<llvm::StringLiteral, std::string>>;

template <typename T> static std::string text(T value) { return llvm::formatv("{0}", value).str(); }
static std::string real(double value) { return llvm::formatv("{0}", llvm::format("%g", value)).str(); }

static Columns columnsOf(const HipblasltProblem &p, llvm::StringRef target, const VerifyRun &run,
                         bool verified) {
  const Launch *launch =
      run.variant && !run.variant->launches.empty() ? &run.variant->launches.front() : nullptr;
  auto fact = [&](unsigned Launch::*member) { return launch ? text(launch->*member) : ""; };
  std::string d = hipblasltType(p.d).str();
  auto measured = [&](std::string value) { return verified ? value : ""; };
  return {
      {"transA", p.transA ? "T" : "N"},
      {"transB", p.transB ? "T" : "N"},
      {"grouped_gemm", "0"},
      {"batch_count", text(p.batch)},
      {"m", text(p.m)},
      {"n", text(p.n)},
      {"k", text(p.k)},
      {"alpha", real(p.alpha)},
      {"lda", text(p.lda)},
      {"stride_a", text(p.strideA)},
      {"beta", real(p.beta)},
      {"ldb", text(p.ldb)},
      {"stride_b", text(p.strideB)},
      {"ldc", text(p.ldc)},
      {"stride_c", text(p.strideC)},
      {"ldd", text(p.ldd)},
      {"stride_d", text(p.strideD)},
      {"a_type", hipblasltType(p.a).str()},
      {"b_type", hipblasltType(p.b).str()},
      {"c_type", d},
      {"d_type", d},
      {"compute_type", "f32_r"},
      {"scaleA", p.scaleA ? "1" : "0"},
      {"scaleB", p.scaleB ? "1" : "0"},
      {"scaleC", "0"},
      {"scaleD", "0"},
      {"amaxD", "0"},
      {"activation_type", name(p.activation).str()},
      {"bias_vector", p.bias ? "1" : "0"},
      {"bias_type", p.bias ? hipblasltType(*p.bias).str() : ""},
      {"norm_error", measured(real(run.normError))},
      {"kernel_name", launch ? launch->kernel : ""},
      {"target", target.str()},
      {"variant", run.variant ? run.variant->name : ""},
      {"vgprs", fact(&Launch::vgprs)},
      {"agprs", fact(&Launch::agprs)},
      {"sgprs", fact(&Launch::sgprs)},
      {"lds", fact(&Launch::lds)},
      {"scratch", fact(&Launch::scratch)},
      {"spills", launch ? text(launch->vgprSpills + launch->sgprSpills) : ""},
      {"bank_conflicts", text(run.counters.bankConflicts)},
      {"mfma", text(run.counters.mfma)},
      {"instructions", text(run.counters.instructions)},
      {"error", measured(real(run.random.maxError))},
      {"bound", measured(real(run.random.boundOfMaxError))},
      {"bound_share", measured(real(run.random.worstShare))},
      {"compared", measured(real(run.share))},
      {"verdict", verified || !run.passed() ? run.verdict() : "not verified"},
  };
}

static std::string quoted(llvm::StringRef cell) {
  if (cell.find_first_of(",\"\n") == llvm::StringRef::npos)
    return cell.str();
  std::string result = "\"";
  for (char c : cell)
    result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

std::string lowp::benchHeader() {
  std::string line;
  for (const auto &[name, value] : columnsOf({}, "", {}, false))
    line += (line.empty() ? "" : ",") + name.str();
  return line + "\n";
}

std::string lowp::benchRow(const HipblasltProblem &problem, llvm::StringRef target, const VerifyRun &run,
                           bool verified) {
  std::string line;
  bool first = true;
  for (const auto &[name, value] : columnsOf(problem, target, run, verified)) {
    line += (first ? "" : ",") + quoted(value);
    first = false;
  }
  return line + "\n";
}
