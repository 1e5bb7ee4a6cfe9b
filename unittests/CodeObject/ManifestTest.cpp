// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The manifest: expressions at the edges of 64 bits, the way through JSON and back, what the strict reader
// refuses (each field removed and each field of a wrong kind, by walking over a whole manifest), and the
// choice of a variant.
#include "ManifestSample.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace lowp;

namespace {

Expr raw(Expr::Kind kind, Expr a, Expr b) {
  Expr result;
  result.kind = kind;
  result.operands = {std::move(a), std::move(b)};
  return result;
}

std::string value(const Expr &expr, const Expr::Values &values = {}) {
  Expected<int64_t> result = expr.evaluate(values);
  return result ? std::to_string(*result) : toString(result.takeError());
}

constexpr int64_t minimum = std::numeric_limits<int64_t>::min(),
                  maximum = std::numeric_limits<int64_t>::max();

TEST(Expr, Evaluates) {
  Expr::Values values;
  values["a.0"] = 333;
  values["n"] = 100;
  Expr a = symbolExpr("a.0"), n = symbolExpr("n");
  EXPECT_EQ(value(ceilDiv(a, constantExpr(256)) * ceilDiv(n, constantExpr(7)), values), "30");
  EXPECT_EQ(value(floorDiv(a, constantExpr(16)) + mod(a, n), values), "53");
  EXPECT_EQ(value(a - n, values), "233");
  EXPECT_EQ(value(n - a, values), "-233");
  EXPECT_EQ(value(symbolExpr("m"), values), "no value is given for 'm'");
}

TEST(Expr, RefusesWhatDoesNotFit) {
  Expr one = constantExpr(1), two = constantExpr(2), most = constantExpr(maximum),
       least = constantExpr(minimum);
  EXPECT_EQ(value(raw(Expr::Kind::Add, most, one)), "add of 9223372036854775807 and 1 does not fit 64 bits");
  EXPECT_EQ(value(raw(Expr::Kind::Mul, least, constantExpr(-1))),
            "mul of -9223372036854775808 and -1 does not fit 64 bits");
  EXPECT_EQ(value(raw(Expr::Kind::Add, least, most)), "-1");
  EXPECT_EQ(value(raw(Expr::Kind::CeilDiv, most, two)), "4611686018427387904");
  EXPECT_EQ(value(raw(Expr::Kind::FloorDiv, constantExpr(-4), two)),
            "floordiv of -4 by 2: the dividend must not be negative");
  EXPECT_EQ(value(raw(Expr::Kind::Mod, two, constantExpr(0))), "mod of 2 by 0: the divisor must be positive");
  EXPECT_EQ(value(raw(Expr::Kind::CeilDiv, two, constantExpr(-3))),
            "ceildiv of 2 by -3: the divisor must be positive");
  Expr broken = raw(Expr::Kind::Add, one, two);
  broken.operands.pop_back();
  EXPECT_EQ(value(broken), "'add' must have 2 operands, but has 1");
  // What cannot be folded stays and fails when it is evaluated.
  EXPECT_EQ(value(most + one), "add of 9223372036854775807 and 1 does not fit 64 bits");
}

TEST(Expr, Simplifies) {
  EXPECT_EQ((constantExpr(3) * constantExpr(5) + constantExpr(1)).kind, Expr::Kind::Constant);
  EXPECT_EQ((symbolExpr("x") * constantExpr(1) + constantExpr(0)).kind, Expr::Kind::Symbol);
  EXPECT_EQ(floorDiv(symbolExpr("x"), constantExpr(1)).kind, Expr::Kind::FloorDiv);
}

TEST(Expr, ToC) {
  EXPECT_EQ(ceilDiv(symbolExpr("a.0"), constantExpr(256)).toC(), "lowp_ceildiv(v_a_p0, 256LL, bad)");
  EXPECT_EQ((symbolExpr("x_y") - constantExpr(3)).toC(), "lowp_add(v_x__y, (-3LL), bad)");
  EXPECT_EQ(constantExpr(minimum).toC(), "(-9223372036854775807LL - 1)");
  EXPECT_EQ(cSymbol("a.stride.0"), "v_a_pstride_p0");
  EXPECT_EQ(cSymbol("%9"), "v__x259");
}

TEST(Expr, JSON) {
  Expr expr = mod(symbolExpr("a.1") * constantExpr(-7), ceilDiv(symbolExpr("cus"), constantExpr(maximum)));
  std::string text = formatv("{0}", expr.toJSON()).str();
  EXPECT_EQ(text, R"(["mod",["mul","a.1",-7],["ceildiv","cus",9223372036854775807]])");
  Expected<Expr> back = Expr::fromJSON(cantFail(json::parse(text)));
  ASSERT_TRUE(bool(back)) << toString(back.takeError());
  EXPECT_EQ(formatv("{0}", back->toJSON()).str(), text);

  auto refused = [](StringRef text) {
    return toString(Expr::fromJSON(cantFail(json::parse(text))).takeError());
  };
  EXPECT_EQ(refused("1.5"), "expression: expected an integer, a symbol or an operation, but got 1.5");
  EXPECT_EQ(refused(R"(["sub",1,2])"),
            "expression[0]: expected 'add', 'mul', 'floordiv', 'ceildiv' or 'mod', but got \"sub\"");
  EXPECT_EQ(refused(R"(["add",1])"), "expression: expected an operation and 2 operands, but got [\"add\",1]");
  EXPECT_EQ(refused(R"(["add",1,["mul",{},2]])"),
            "expression[2][1]: expected an integer, a symbol or an operation, but got {}");
  EXPECT_EQ(refused("\"\""), "expression: expected a symbol's name, but got \"\"");
}

TEST(Manifest, RoundTrips) {
  Manifest manifest = sampleManifest();
  std::string text = manifest.toText();
  Expected<Manifest> back = Manifest::fromJSON(text);
  ASSERT_TRUE(bool(back)) << toString(back.takeError());
  EXPECT_EQ(back->toText(), text);
  ASSERT_NE(back->find("gemm"), nullptr);
  EXPECT_EQ(back->find("gem"), nullptr);
  const Entry &entry = *back->find("gemm");
  EXPECT_EQ(entry.arguments[0].shape, (std::vector<int64_t>{-1, 64}));
  EXPECT_EQ(entry.arguments[1].kind, Argument::Kind::Scalar);
  EXPECT_EQ(entry.variants[1].launches[1].kernel, "gemm_merge");
  EXPECT_EQ(entry.variants[0].launches[0].block[0], 512u);
  EXPECT_EQ(entry.variants[0].launches[0].vgprs, 224u);
  EXPECT_EQ(entry.variants[0].launches[0].sgprSpills, 3u);
  EXPECT_TRUE(entry.variants[0].conditions[0].equality);
}

std::string refusal(const json::Value &value) {
  std::string text;
  raw_string_ostream(text) << value;
  Expected<Manifest> manifest = Manifest::fromJSON(text);
  return manifest ? "" : toString(manifest.takeError());
}

/// Takes away, adds and garbles every field below `part` of `whole` and checks that the error names its path.
void breakFields(const json::Value &whole, json::Value &part, const std::string &path, unsigned &count) {
  if (json::Array *array = part.getAsArray()) {
    if (StringRef(path).ends_with(".expr") || StringRef(path).ends_with(".workspaceBytes") ||
        path.find(".grid[") != std::string::npos)
      return; // expressions have their own test
    for (size_t i = 0; i < array->size(); ++i)
      breakFields(whole, (*array)[i], path + "[" + std::to_string(i) + "]", count);
    return;
  }
  json::Object *object = part.getAsObject();
  if (!object)
    return;
  std::vector<std::string> keys;
  for (auto &member : *object)
    keys.push_back(member.first.str());
  for (const std::string &key : keys) {
    json::Value saved = *object->get(key);
    object->erase(key);
    EXPECT_EQ(refusal(whole), path + ": field '" + key + "' is missing");
    (*object)[key] = json::Object{{"wrong", 1.5}};
    EXPECT_EQ(StringRef(refusal(whole)).substr(0, path.size() + key.size() + 3), path + "." + key + ": ");
    (*object)[key] = saved;
    breakFields(whole, *object->get(key), path + "." + key, count);
    ++count;
  }
  (*object)["zzz"] = 1;
  EXPECT_EQ(refusal(whole), path + ": unknown field 'zzz'");
  object->erase("zzz");
}

TEST(Manifest, EveryFieldIsChecked) {
  json::Value whole = sampleManifest().toJSON();
  unsigned count = 0;
  breakFields(whole, whole, "manifest", count);
  EXPECT_GT(count, 100u);
  EXPECT_EQ(refusal(whole), "");
}

TEST(Manifest, Refuses) {
  auto with = [](StringRef from, StringRef to) {
    std::string text = sampleManifest().toText();
    size_t at = text.find(from.str());
    EXPECT_NE(at, std::string::npos) << from.str();
    Expected<Manifest> manifest = Manifest::fromJSON(text.replace(at, from.size(), to.str()));
    return manifest ? "" : toString(manifest.takeError());
  };
  EXPECT_EQ(with("\"formatVersion\": 1", "\"formatVersion\": 2, \"more\": []"),
            "manifest.formatVersion: this version of lowp reads format 1, but got 2");
  EXPECT_EQ(with("\"== 0\"", "\"<= 0\""),
            "manifest.entries[0].conditions[0].test: expected '== 0' or '>= 0', but got \"<= 0\"");
  EXPECT_EQ(
      with("\"kind\": \"stride\"", "\"kind\": \"step\""),
      "manifest.entries[0].arguments[5].kind: expected 'input', 'scalar', 'result', 'dimension', 'stride' or "
      "'workspace', but got \"step\"");
  EXPECT_EQ(with("\"vgprs\": 224", "\"vgprs\": -1"), "manifest.entries[0].variants[0].launches[0].vgprs: "
                                                     "expected an integer from 0 to 4294967295, but got -1");
  EXPECT_EQ(with("512,", "0,"),
            "manifest.entries[0].variants[0].launches[0].block[0]: expected a positive size, but got 0");
  EXPECT_EQ(toString(Manifest::fromJSON("").takeError()).substr(0, 10), "manifest: ");
  EXPECT_EQ(toString(Manifest::fromJSON("[1]").takeError()), "manifest: expected an object, but got [1]");
  EXPECT_EQ(toString(Manifest::fromJSON(std::string(1000000, '[')).takeError()),
            "manifest: 1000000 levels of nesting, but at most 200 are accepted");
  Manifest twice = sampleManifest();
  twice.entries.push_back(twice.entries.front());
  EXPECT_EQ(toString(Manifest::fromJSON(twice.toText()).takeError()),
            "manifest.entries[2].name: two entries have the name 'gemm'");
}

TEST(Manifest, ChoosesVariants) {
  Manifest manifest = sampleManifest();
  const Entry &entry = *manifest.find("gemm");
  auto choose = [&](int64_t pointer, int64_t m, int64_t stride, int64_t n) {
    Expr::Values values;
    values["a"] = pointer;
    values["a.0"] = m;
    values["a.stride.0"] = stride;
    values["n"] = n;
    values["cus"] = 304;
    Expected<const Variant *> variant = chooseVariant(entry, values);
    return variant ? (*variant)->name : toString(variant.takeError());
  };
  EXPECT_EQ(choose(4096, 256, 64, 3), "large");
  EXPECT_EQ(choose(4097, 256, 64, 3), "entry 'gemm': a must be aligned to 4 bytes");
  EXPECT_EQ(choose(4100, 16, 64, 3), "skinny");
  EXPECT_EQ(choose(4100, 17, 64, 3), "any");
  EXPECT_EQ(choose(4096, 255, 64, 3), "any");
  EXPECT_EQ(choose(4096, 0, 64, 3), "entry 'gemm': M must be at least 1");
  EXPECT_EQ(choose(-4, 1, 64, 3),
            "entry 'gemm', condition 'a must be aligned to 4 bytes': mod of -4 by 4: the dividend "
            "must not be negative");
  EXPECT_EQ(choose(4096, 256, maximum, 3),
            "entry 'gemm', condition 'A must be below 2^40 elements': mul of 256 and "
            "9223372036854775807 does not fit 64 bits");
  Entry picky = entry;
  picky.variants.pop_back();
  Expr::Values values;
  values["a"] = 4096, values["a.0"] = 17, values["a.stride.0"] = 64, values["n"] = 1;
  EXPECT_EQ(
      toString(chooseVariant(picky, values).takeError()),
      "entry 'gemm' has no variant for these arguments; the last one, 'skinny', wants: M must be at most 16");
}

} // namespace
