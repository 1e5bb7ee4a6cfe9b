// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one list of the families' tables.

#include "Inst.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace lowp::sim;

std::vector<ArrayRef<OpEntry>> lowp::sim::opTables() {
  return {sop1Ops(),    sop2Ops(),          sopcOps(),          soppOps(),
          smemOps(),    integerOps(),       wideIntegerOps(),   floatOps(),
          divideOps(),  halfOps(),          doubleOps(),        transOps(),
          convertOps(), narrowConvertOps(), scaledConvertOps(), compareOps(),
          packedOps(),  dotOps(),           laneOps(),          mfmaOps(),
          dsOps(),      dsAtomicOps(),      dsExchangeOps(),    hardwareRegisterOps(),
          byteOps(),    halfExtraOps(),     normConvertOps(),   bufferOps(),
          globalOps(),  atomicOps()};
}

std::vector<std::string> lowp::sim::knownMnemonics() {
  std::vector<std::string> names;
  for (ArrayRef<OpEntry> table : opTables())
    for (const OpEntry &entry : table)
      names.push_back(entry.name);
  return names;
}

const OpEntry *lowp::sim::findOp(StringRef mnemonic) {
  static const StringMap<const OpEntry *> entries = [] {
    StringMap<const OpEntry *> map;
    for (ArrayRef<OpEntry> table : opTables())
      for (const OpEntry &entry : table)
        map[entry.name] = &entry;
    return map;
  }();
  return entries.lookup(mnemonic);
}
