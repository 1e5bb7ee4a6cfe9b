// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The strict reader behind Manifest::fromJSON. Every `read` returns false after it has noted the first error,
// which says the path of the field, what is accepted there and what was found. (llvm::json::ObjectMapper
// reports only fixed texts.)
#ifndef LOWP_LIB_CODEOBJECT_MANIFESTREADER_H
#define LOWP_LIB_CODEOBJECT_MANIFESTREADER_H

#include "lowp/CodeObject/Manifest.h"
#include "llvm/ADT/Twine.h"

namespace lowp {

class ManifestReader {
public:
  bool read(const llvm::json::Value &value, Expr &result, const llvm::Twine &path);
  bool read(const llvm::json::Value &value, Manifest &result, const llvm::Twine &path);
  llvm::Error takeError() const { return llvm::createStringError(error); }

private:
  bool read(const llvm::json::Value &value, Condition &result, const llvm::Twine &path);
  bool read(const llvm::json::Value &value, Argument &result, const llvm::Twine &path);
  bool read(const llvm::json::Value &value, Argument::Kind &result, const llvm::Twine &path);
  bool read(const llvm::json::Value &value, Launch &result, const llvm::Twine &path);
  bool read(const llvm::json::Value &value, Variant &result, const llvm::Twine &path);
  bool read(const llvm::json::Value &value, Entry &result, const llvm::Twine &path);
  bool read(const llvm::json::Value &value, std::string &result, const llvm::Twine &path);
  bool read(const llvm::json::Value &value, bool &result, const llvm::Twine &path);
  bool read(const llvm::json::Value &value, int64_t &result, const llvm::Twine &path);
  bool read(const llvm::json::Value &value, unsigned &result, const llvm::Twine &path);
  template <typename T, size_t N>
  bool read(const llvm::json::Value &value, T (&result)[N], const llvm::Twine &path);
  template <typename T>
  bool read(const llvm::json::Value &value, std::vector<T> &result, const llvm::Twine &path);
  template <typename T>
  bool field(const llvm::json::Object &object, llvm::StringRef key, T &result, const llvm::Twine &path);

  /// The object, with none but these fields.
  const llvm::json::Object *object(const llvm::json::Value &value, llvm::ArrayRef<llvm::StringRef> keys,
                                   const llvm::Twine &path);
  /// Returns false.
  bool fail(const llvm::Twine &path, const llvm::Twine &expected, const llvm::json::Value &found);
  bool fail(const llvm::Twine &path, const llvm::Twine &message);

  std::string error;
};

} // namespace lowp

#endif // LOWP_LIB_CODEOBJECT_MANIFESTREADER_H
