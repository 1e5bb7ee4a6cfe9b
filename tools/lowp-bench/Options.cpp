// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hipblaslt-bench's options under their own names, and a few of ours. What hipBLASLt knows and lowp does not (yet) is refused by
// name rather than ignored: a number measured for another problem is worse than none.
#include "Options.h"

#include "lowp/Pipeline/Compile.h"
#include "lowp/Target/Target.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"

using namespace lowp;
namespace cl = llvm::cl;
using llvm::StringRef;

static cl::OptionCategory problemOptions("The problem, in hipblaslt-bench's words");
static cl::OptionCategory ownOptions("What to do with it");

#define SIZE(variable, option, text)                                                                                 \
  static cl::opt<int64_t> variable(option, cl::desc(text), cl::cat(problemOptions))
#define WORD(variable, option, preset, text)                                                                         \
  static cl::opt<std::string> variable(option, cl::desc(text), cl::init(preset), cl::cat(problemOptions))
static cl::opt<int64_t> sizeM("m", cl::desc("rows of D (default 128)"), cl::init(128), cl::cat(problemOptions));
static cl::opt<int64_t> sizeN("n", cl::desc("columns of D (default 128)"), cl::init(128), cl::cat(problemOptions));
static cl::opt<int64_t> sizeK("k", cl::desc("length of the sums (default 128)"), cl::init(128), cl::cat(problemOptions));
SIZE(lda, "lda", "leading dimension of A: elements from one column to the next (default: no gap)");
SIZE(ldb, "ldb", "the same of B");
SIZE(ldc, "ldc", "the same of C");
SIZE(ldd, "ldd", "the same of D");
SIZE(strideA, "stride_a", "elements from one matrix A of a batch to the next (default: no gap)");
SIZE(strideB, "stride_b", "the same of B");
SIZE(strideC, "stride_c", "the same of C");
SIZE(strideD, "stride_d", "the same of D");
static cl::opt<int64_t> batchCount("batch_count", cl::desc("number of matrices (default 1)"), cl::init(1),
                                   cl::cat(problemOptions));
WORD(transA, "transA", "N", "N or T");
WORD(transB, "transB", "N", "N or T");
WORD(aType, "a_type", "f16_r", "f8_r, bf8_r (OCP), f8_fnuz_r, bf8_fnuz_r, f16_r, bf16_r");
WORD(bType, "b_type", "f16_r", "as --a_type");
WORD(cType, "c_type", "", "the type of D, which is the default");
WORD(dType, "d_type", "f16_r", "f32_r, f16_r, bf16_r");
WORD(computeType, "compute_type", "f32_r", "f32_r");
WORD(scaleType, "scale_type", "f32_r", "f32_r");
WORD(biasType, "bias_type", "", "f32_r, f16_r, bf16_r (default: the type of D)");
static cl::opt<bool> biasVector("bias_vector", cl::desc("add a vector along m"), cl::cat(problemOptions));
static cl::opt<double> alphaOption("alpha", cl::desc("factor of op(A) op(B) (default 1)"), cl::init(1), cl::cat(problemOptions));
static cl::opt<double> betaOption("beta", cl::desc("factor of C (default 0)"), cl::init(0), cl::cat(problemOptions));
static cl::opt<unsigned> scaleA("scaleA", cl::desc("0 none, 1 one f32 for the whole of A"), cl::cat(problemOptions));
static cl::opt<unsigned> scaleB("scaleB", cl::desc("the same of B"), cl::cat(problemOptions));
WORD(activationType, "activation_type", "none", "none, relu, gelu, swish, clamp");
static cl::opt<double> activationArg1("activation_arg1", cl::desc("lower end of clamp (default 0)"), cl::init(0),
                                      cl::cat(problemOptions));
static cl::opt<double> activationArg2("activation_arg2", cl::desc("upper end of clamp (default: infinity)"),
                                      cl::init(std::numeric_limits<double>::infinity()), cl::cat(problemOptions));
WORD(initialization, "initialization", "rand", "rand, rand_int, zero, norm_dist, uniform_01, hpl, special");

static cl::opt<bool> verify("verify", cl::desc("compare with the reference: within the derived bound, and exactly on integers"),
                            cl::cat(ownOptions));
static cl::alias verifyShort("v", cl::desc("--verify"), cl::aliasopt(verify), cl::cat(ownOptions));
static cl::opt<std::string> target("target", cl::desc("gfx942 or gfx950 (default gfx950)"), cl::init("gfx950"),
                                   cl::cat(ownOptions));
static cl::opt<std::string> variant("variant", cl::desc("take this variant of the kernel; all: every one that accepts the sizes"),
                                    cl::cat(ownOptions));
static cl::opt<uint64_t> seed("seed", cl::desc("of the data (default 1)"), cl::init(1), cl::cat(ownOptions));
static cl::opt<std::string> emit("emit", cl::desc("mlir: print the module and stop"), cl::cat(ownOptions));
static cl::opt<bool> dynamic("dynamic", cl::desc("sizes and strides as arguments of the kernel instead of constants"),
                             cl::cat(ownOptions));
static cl::opt<std::string> misalign("misalign", cl::desc("bytes by which pointers miss their alignment, as a=1,d=2"),
                                     cl::cat(ownOptions));
static cl::opt<unsigned> randomCount("random", cl::desc("verify so many random problems"), cl::cat(ownOptions));

namespace {
struct Unsupported {
  llvm::StringLiteral option, reason;
};
} // namespace
static constexpr Unsupported unsupported[] = {
    {"swizzleA", "pre-shuffled operands are not supported yet"},
    {"swizzleB", "pre-shuffled operands are not supported yet"},
    {"scaleC", "C has no scale"},
    {"scaleD", "D has no scale; results are f32_r, f16_r or bf16_r"},
    {"scaleAlpha_vector", "alpha is one number"},
    {"amaxD", "maxima of D are not supported yet"},
    {"grouped_gemm", "grouped products are not supported yet"},
    {"use_e", "auxiliary outputs are not supported yet"},
    {"gradient", "gradients are not supported yet"},
    {"yaml", "lists of problems are not supported yet; --random=N makes random ones"},
    {"workspace", "kernels need no workspace"},
    {"requested_solution", "--variant=NAME chooses a kernel, --variant=all takes all"},
    {"algo_method", "--variant=NAME chooses a kernel, --variant=all takes all"},
    {"solution_index", "--variant=NAME chooses a kernel, --variant=all takes all"},
    {"iters", "there is no device to take times on"},
    {"i", "there is no device to take times on"},
    {"cold_iters", "there is no device to take times on"},
    {"j", "there is no device to take times on"},
    {"rotating", "there is no device to take times on"},
    {"device", "there is no device; --target chooses the chip"},
};

static llvm::Error refuse(const llvm::Twine &text) { return llvm::createStringError(text); }

/// A type for `option`, one of `accepted`.
static llvm::Error readType(StringRef option, StringRef word, llvm::ArrayRef<Format> accepted, Format &format) {
  std::optional<Format> parsed = parseHipblasltType(word);
  if (parsed && llvm::is_contained(accepted, *parsed)) {
    format = *parsed;
    return llvm::Error::success();
  }
  std::string words =
      llvm::join(llvm::map_range(accepted, [](Format f) { return hipblasltType(f).str(); }), ", ");
  return refuse(llvm::formatv("--{0}: '{1}' is not supported; accepted are {2}", option, word, words).str());
}

static llvm::Error readTranspose(StringRef option, StringRef word, bool &transposed) {
  if (word != "N" && word != "T")
    return refuse(llvm::formatv("--{0}: '{1}' is not supported; accepted are N, T", option, word).str());
  transposed = word == "T";
  return llvm::Error::success();
}

static llvm::Error readMisalignment(std::map<std::string, uint64_t> &result) {
  llvm::SmallVector<StringRef> parts;
  StringRef(misalign).split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    auto [name, bytes] = part.split('=');
    uint64_t value = 0;
    if (!llvm::is_contained({"a", "b", "c", "d", "bias"}, name) || bytes.getAsInteger(10, value) || value > 255)
      return refuse("--misalign: '" + part + "' is not supported; accepted are a=BYTES, b=, c=, d= and bias=, up to 255");
    result[name.str()] = value;
  }
  return llvm::Error::success();
}

static llvm::Error readTypes(HipblasltProblem &p) {
  constexpr Format operands[] = {Format::F8E4M3FN,   Format::F8E5M2, Format::F8E4M3FNUZ,
                                 Format::F8E5M2FNUZ, Format::F16,    Format::BF16};
  constexpr Format results[] = {Format::F32, Format::F16, Format::BF16};
  if (llvm::Error error = readType("a_type", aType, operands, p.a))
    return error;
  if (llvm::Error error = readType("b_type", bType, operands, p.b))
    return error;
  if (llvm::Error error = readType("d_type", dType, results, p.d))
    return error;
  if (!cType.empty() && cType != dType)
    return refuse("--c_type: '" + cType + "' is not supported; C has the type of D, " + dType);
  if (computeType != "f32_r")
    return refuse("--compute_type: '" + computeType + "' is not supported; accepted is f32_r");
  if (scaleType != "f32_r")
    return refuse("--scale_type: '" + scaleType + "' is not supported; accepted is f32_r");
  if (!biasVector)
    return biasType.empty() ? llvm::Error::success() : refuse("--bias_type needs --bias_vector");
  p.bias = p.d;
  return biasType.empty() ? llvm::Error::success() : readType("bias_type", biasType, results, *p.bias);
}

static llvm::Error readProblem(HipblasltProblem &p) {
  p.m = sizeM;
  p.n = sizeN;
  p.k = sizeK;
  p.batch = batchCount;
  for (auto [own, option] : {std::pair<int64_t *, cl::opt<int64_t> *>{&p.lda, &lda}, {&p.ldb, &ldb}, {&p.ldc, &ldc},
                             {&p.ldd, &ldd}, {&p.strideA, &strideA}, {&p.strideB, &strideB}, {&p.strideC, &strideC},
                             {&p.strideD, &strideD}}) {
    *own = *option;
    // 0 is the word for the default in the struct only.
    if (option->getNumOccurrences() > 0 && *option <= 0)
      return refuse(llvm::formatv("--{0} must be at least 1, but is {1}", option->ArgStr, int64_t(*option)).str());
  }
  if (llvm::Error error = readTranspose("transA", transA, p.transA))
    return error;
  if (llvm::Error error = readTranspose("transB", transB, p.transB))
    return error;
  if (llvm::Error error = readTypes(p))
    return error;
  p.alpha = float(alphaOption);
  p.beta = float(betaOption);
  for (auto [option, value] : {std::pair("scaleA", unsigned(scaleA)), {"scaleB", unsigned(scaleB)}})
    if (value > 1)
      return refuse(llvm::formatv("--{0}: {1} ({2}) is not supported yet; accepted are 0 (none) and 1 (one scale)", option,
                                  value, value == 2 ? "a vector" : value == 3 ? "blocks" : "unknown")
                        .str());
  p.scaleA = scaleA == 1;
  p.scaleB = scaleB == 1;
  std::optional<Activation> activation = parseActivation(activationType);
  if (!activation)
    return refuse("--activation_type: '" + activationType +
                  "' is not supported; accepted are none, relu, gelu, swish, clamp");
  p.activation = *activation;
  p.activationArg1 = float(activationArg1);
  p.activationArg2 = float(activationArg2);
  p.dynamic = dynamic;
  if (llvm::Error error = readMisalignment(p.misalignment))
    return error;
  return p.complete();
}

llvm::Expected<BenchOptions> lowp::parseBenchOptions(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    StringRef word = StringRef(argv[i]).ltrim('-').split('=').first;
    if (!StringRef(argv[i]).starts_with("-"))
      continue;
    for (const Unsupported &option : unsupported)
      if (word == option.option)
        return refuse("option '" + StringRef(argv[i]).split('=').first + "': " + option.reason);
  }
  cl::HideUnrelatedOptions({&problemOptions, &ownOptions});
  cl::SetVersionPrinter([](llvm::raw_ostream &os) { os << versionString() << '\n'; });
  std::string message;
  llvm::raw_string_ostream os(message);
  if (!cl::ParseCommandLineOptions(argc, argv,
                                   "lowp-bench: one matrix product D = op(A) op(B), column-major as in hipBLASLt, compiled and "
                                   "run on the simulator\n",
                                   &os))
    return refuse(StringRef(message).trim());

  BenchOptions options;
  options.target = target;
  if (!Target::get(target))
    return refuse("--target: '" + target + "' is unknown; accepted are " + llvm::join(Target::chips(), ", "));
  std::optional<DataKind> data = parseDataKind(initialization);
  if (!data)
    return refuse("--initialization: '" + initialization + "' is not supported; accepted are " + dataKindWords());
  options.data = *data;
  if (!emit.empty() && emit != "mlir")
    return refuse("--emit: '" + emit + "' is not supported; accepted is mlir");
  options.emitMlir = emit == "mlir";
  options.variant = variant;
  options.seed = seed;
  options.random = randomCount;
  options.verify = verify;
  if (llvm::Error error = readProblem(options.problem))
    return std::move(error);
  return options;
}
