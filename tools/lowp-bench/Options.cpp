// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hipblaslt-bench's options under their own names, and a few of ours. What hipBLASLt knows and lowp does not
// (yet) is refused by name rather than ignored: a number measured for another problem is worse than none.
#include "Options.h"

#include "lowp/Driver/CommandLine.h"
#include "lowp/Pipeline/Compile.h"
#include "lowp/Target/Target.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include <limits>

using namespace lowp;
namespace cl = llvm::cl;
using llvm::StringRef;

namespace {

/// Constructed in parseBenchOptions(), when LLVM's own options of the same names are gone.
struct Flags {
  cl::OptionCategory category{"The problem, in hipblaslt-bench's words"}, own{"What to do with it"};

  /// An option of the problem.
  template <typename T> struct Word : cl::opt<T> {
    Word(Flags &flags, StringRef name, T preset, const char *text)
        : cl::opt<T>(name, cl::desc(text), cl::init(preset), cl::cat(flags.category)) {}
  };
  template <typename T> struct Own : cl::opt<T> {
    Own(Flags &flags, StringRef name, T preset, const char *text)
        : cl::opt<T>(name, cl::desc(text), cl::init(preset), cl::cat(flags.own)) {}
  };
  using Size = Word<int64_t>;
  using Text = Word<std::string>;

  Size m{*this, "m", 128, "rows of D (default 128)"};
  Size n{*this, "n", 128, "columns of D (default 128)"};
  Size k{*this, "k", 128, "length of the sums (default 128)"};
  Size lda{*this, "lda", 0, "leading dimension of A: elements from one column to the next (default: no gap)"};
  Size ldb{*this, "ldb", 0, "the same of B"};
  Size ldc{*this, "ldc", 0, "the same of C"};
  Size ldd{*this, "ldd", 0, "the same of D"};
  Size strideA{*this, "stride_a", 0, "elements from one matrix A of a batch to the next (default: no gap)"};
  Size strideB{*this, "stride_b", 0, "the same of B"};
  Size strideC{*this, "stride_c", 0, "the same of C"};
  Size strideD{*this, "stride_d", 0, "the same of D"};
  Size batchCount{*this, "batch_count", 1, "number of matrices (default 1)"};
  Text transA{*this, "transA", "N", "N or T"};
  Text transB{*this, "transB", "N", "N or T"};
  Text aType{*this, "a_type", "f16_r", "f8_r, bf8_r (OCP), f8_fnuz_r, bf8_fnuz_r, f16_r, bf16_r"};
  Text bType{*this, "b_type", "f16_r", "as --a_type"};
  Text cType{*this, "c_type", "", "the type of D, which is the default"};
  Text dType{*this, "d_type", "f16_r", "f32_r, f16_r, bf16_r"};
  Text computeType{*this, "compute_type", "f32_r", "f32_r"};
  Text scaleType{*this, "scale_type", "f32_r", "f32_r"};
  Word<bool> biasVector{*this, "bias_vector", false, "add a vector along m"};
  Text biasType{*this, "bias_type", "", "f32_r, f16_r, bf16_r (default: the type of D)"};
  Word<double> alpha{*this, "alpha", 1, "factor of op(A) op(B) (default 1)"};
  Word<double> beta{*this, "beta", 0, "factor of C (default 0)"};
  Word<unsigned> scaleA{*this, "scaleA", 0, "0 none, 1 one f32 for the whole of A"};
  Word<unsigned> scaleB{*this, "scaleB", 0, "the same of B"};
  Text activationType{*this, "activation_type", "none", "none, relu, gelu, swish, clamp"};
  Word<double> activationArg1{*this, "activation_arg1", 0, "lower end of clamp (default 0)"};
  Word<double> activationArg2{*this, "activation_arg2", std::numeric_limits<double>::infinity(),
                              "upper end of clamp (default: infinity)"};
  Text initialization{*this, "initialization", "rand",
                      "rand, rand_int, zero, norm_dist, uniform_01, hpl, special"};

  Own<bool> verify{*this, "verify", false,
                   "compare with the reference: within the derived bound, and exactly on integers"};
  cl::alias verifyShort{"v", cl::desc("--verify"), cl::aliasopt(verify), cl::cat(own)};
  Own<std::string> target{*this, "target", "gfx950", "gfx942 or gfx950 (default gfx950)"};
  Own<std::string> scheduleFields{
      *this, "schedule-fields", "",
      "fields of a #lowp.schedule, as 'tile = [128, 64, 64], waves = [2, 2, 1], "
      "instruction = [16, 16, 32]': a variant 'custom' instead of the compiler's"};
  Own<std::string> variant{*this, "variant", "",
                           "take this variant of the kernel; all: every one that accepts the sizes"};
  cl::list<std::string> schedules{"schedule", cl::CommaSeparated, cl::value_desc("NAME"), cl::cat(own),
                                  cl::desc("compile the candidate schedules of these names, in this order, "
                                           "instead of the cheapest (lowpc --explain-schedule lists them)")};
  Own<uint64_t> seed{*this, "seed", 1, "of the data (default 1)"};
  Own<std::string> emit{*this, "emit", "", "mlir: print the module and stop"};
  Own<std::string> emitLaunch{*this, "emit-launch", "",
                              "a directory: write the run as launch files for lowp-run --launch, with code "
                              "object, inputs and the results to expect"};
  Own<bool> dynamic{*this, "dynamic", false,
                    "sizes and strides as arguments of the kernel instead of constants"};
  Own<std::string> misalign{*this, "misalign", "",
                            "bytes by which pointers miss their alignment, as a=1,d=2"};
  Own<std::string> mfma{*this, "mfma", "exact",
                        "sums of matrix instructions: exact (in double, rounded once; default), fast (in "
                        "float; 0.8 of the time), cdna3 (bit for bit as gfx942, by the published rule; 12 "
                        "times the time; an error for gfx950)"};
  Own<unsigned> random{*this, "random", 0, "verify so many random problems"};
};

} // namespace

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
    {"workspace", "each kernel gets what it needs"},
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
static llvm::Error readType(StringRef option, StringRef word, llvm::ArrayRef<Format> accepted,
                            Format &format) {
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

static llvm::Error readMisalignment(StringRef text, std::map<std::string, uint64_t> &result) {
  llvm::SmallVector<StringRef> parts;
  text.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    auto [name, bytes] = part.split('=');
    uint64_t value = 0;
    if (!llvm::is_contained({"a", "b", "c", "d", "bias"}, name) || bytes.getAsInteger(10, value) ||
        value > 255)
      return refuse("--misalign: '" + part +
                    "' is not supported; accepted are a=BYTES, b=, c=, d= and bias=, up to 255");
    result[name.str()] = value;
  }
  return llvm::Error::success();
}

static llvm::Error onlyF32(StringRef option, const std::string &word) {
  if (word == "f32_r")
    return llvm::Error::success();
  return refuse("--" + option + ": '" + word + "' is not supported; accepted is f32_r");
}

static llvm::Error readTypes(const Flags &flags, HipblasltProblem &p) {
  constexpr Format operands[] = {Format::F8E4M3FN,   Format::F8E5M2, Format::F8E4M3FNUZ,
                                 Format::F8E5M2FNUZ, Format::F16,    Format::BF16};
  constexpr Format results[] = {Format::F32, Format::F16, Format::BF16};
  if (llvm::Error error = readType("a_type", flags.aType, operands, p.a))
    return error;
  if (llvm::Error error = readType("b_type", flags.bType, operands, p.b))
    return error;
  if (llvm::Error error = readType("d_type", flags.dType, results, p.d))
    return error;
  if (!flags.cType.empty() && flags.cType != flags.dType)
    return refuse("--c_type: '" + flags.cType + "' is not supported; C has the type of D, " + flags.dType);
  if (llvm::Error error = onlyF32("compute_type", flags.computeType))
    return error;
  if (llvm::Error error = onlyF32("scale_type", flags.scaleType))
    return error;
  if (!flags.biasVector)
    return flags.biasType.empty() ? llvm::Error::success() : refuse("--bias_type needs --bias_vector");
  p.bias = p.d;
  return flags.biasType.empty() ? llvm::Error::success()
                                : readType("bias_type", flags.biasType, results, *p.bias);
}

static llvm::Error readScale(const Flags::Word<unsigned> &option, bool &scaled) {
  if (option > 1)
    return refuse(llvm::formatv("--{0}: {1}{2} is not supported yet; accepted are 0 (none) and 1 (one scale)",
                                option.ArgStr, unsigned(option),
                                option == 2   ? " (a vector)"
                                : option == 3 ? " (blocks)"
                                              : "")
                      .str());
  scaled = option == 1;
  return llvm::Error::success();
}

static llvm::Error readSizes(const Flags &flags, HipblasltProblem &p) {
  p.m = flags.m;
  p.n = flags.n;
  p.k = flags.k;
  p.batch = flags.batchCount;
  const std::pair<const Flags::Size &, int64_t &> sizes[] = {
      {flags.lda, p.lda},         {flags.ldb, p.ldb},         {flags.ldc, p.ldc},
      {flags.ldd, p.ldd},         {flags.strideA, p.strideA}, {flags.strideB, p.strideB},
      {flags.strideC, p.strideC}, {flags.strideD, p.strideD}};
  for (auto &[option, size] : sizes) {
    size = option;
    if (option.getNumOccurrences() > 0 && size <= 0)
      return refuse(llvm::formatv("--{0} must be at least 1, but is {1}", option.ArgStr, size).str());
  }
  return llvm::Error::success();
}

static llvm::Error readProblem(const Flags &flags, HipblasltProblem &p) {
  if (llvm::Error error = readSizes(flags, p))
    return error;
  if (llvm::Error error = readTranspose("transA", flags.transA, p.transA))
    return error;
  if (llvm::Error error = readTranspose("transB", flags.transB, p.transB))
    return error;
  if (llvm::Error error = readTypes(flags, p))
    return error;
  p.alpha = float(flags.alpha);
  p.beta = float(flags.beta);
  if (llvm::Error error = readScale(flags.scaleA, p.scaleA))
    return error;
  if (llvm::Error error = readScale(flags.scaleB, p.scaleB))
    return error;
  std::optional<Activation> activation = parseActivation(flags.activationType);
  if (!activation)
    return refuse("--activation_type: '" + flags.activationType +
                  "' is not supported; accepted are none, relu, gelu, swish, clamp");
  p.activation = *activation;
  p.activationArg1 = float(flags.activationArg1);
  p.activationArg2 = float(flags.activationArg2);
  p.dynamic = flags.dynamic;
  p.schedule = flags.scheduleFields;
  std::replace(p.schedule.begin(), p.schedule.end(), '\n', ' '); // it is printed in comments, too
  if (llvm::Error error = readMisalignment(flags.misalign, p.misalignment))
    return error;
  return p.complete();
}

static llvm::Error refuseUnsupported(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    StringRef option = StringRef(argv[i]).split('=').first;
    for (const Unsupported &known : unsupported)
      if (option.starts_with("-") && option.ltrim('-') == known.option)
        return refuse("option '" + option + "': " + known.reason);
  }
  return llvm::Error::success();
}

llvm::Expected<BenchOptions> lowp::parseBenchOptions(int argc, char **argv) {
  if (llvm::Error error = refuseUnsupported(argc, argv))
    return std::move(error);
  removeLibraryOptions();
  Flags flags;
  cl::SetVersionPrinter([](llvm::raw_ostream &os) { os << versionString() << '\n'; });
  if (!parseCommandLine(
          argc, argv,
          "lowp-bench: one matrix product D = op(A) op(B), column-major as in hipBLASLt, compiled and run "
          "on the simulator\n"))
    return refuse("see --help");

  BenchOptions options;
  options.target = flags.target;
  if (!Target::get(options.target))
    return refuse("--target: '" + options.target + "' is unknown; accepted are " +
                  llvm::join(Target::chips(), ", "));
  std::optional<DataKind> data = parseDataKind(flags.initialization);
  if (!data)
    return refuse("--initialization: '" + flags.initialization + "' is not supported; accepted are " +
                  dataKindWords());
  options.data = *data;
  if (!flags.emit.empty() && flags.emit != "mlir")
    return refuse("--emit: '" + flags.emit + "' is not supported; accepted is mlir");
  options.emitMlir = flags.emit == "mlir";
  options.launchFolder = flags.emitLaunch;
  if (!options.launchFolder.empty() && (flags.random > 0 || options.emitMlir))
    return refuse("--emit-launch writes one problem; it does not go with --random or --emit");
  if (flags.schedules.getNumOccurrences() > 0 && options.emitMlir)
    return refuse("--schedule chooses when the problem is compiled; it does not go with --emit");
  if (flags.mfma != "exact" && flags.mfma != "fast" && flags.mfma != "cdna3")
    return refuse("--mfma: '" + flags.mfma + "' is unknown; accepted are exact, fast, cdna3");
  options.mfma = flags.mfma == "fast"    ? sim::MfmaMode::Fast
                 : flags.mfma == "cdna3" ? sim::MfmaMode::Cdna3
                                         : sim::MfmaMode::Exact;
  options.variant = flags.variant;
  options.schedules.assign(flags.schedules.begin(), flags.schedules.end());
  options.seed = flags.seed;
  options.random = flags.random;
  options.verify = flags.verify;
  if (llvm::Error error = readProblem(flags, options.problem))
    return std::move(error);
  return options;
}
