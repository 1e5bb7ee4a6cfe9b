// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The families and their fields: CDNA3 and CDNA4 ISA manuals, "Microcode formats". Register numbers are
// multiples of 4, as tuples have to be aligned; scalar tuples of 16 begin at s16.

#include "Encodings.h"
#include "../../lib/Sim/Disassemble.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace lowp::sim::test;

struct Disassembler::Layer {
  std::unique_ptr<MCRegisterInfo> registers;
  std::unique_ptr<MCAsmInfo> asmInfo;
  std::unique_ptr<MCSubtargetInfo> subtarget;
  std::unique_ptr<MCInstrInfo> instructions;
  std::unique_ptr<MCContext> context;
  std::unique_ptr<MCDisassembler> disassembler;
  std::unique_ptr<MCInstPrinter> printer;
};

Disassembler::Disassembler(StringRef chip) : layer(std::make_unique<Layer>()) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUDisassembler();
  Triple triple("amdgcn-amd-amdhsa");
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  MCTargetOptions options;
  layer->registers.reset(target->createMCRegInfo(triple));
  layer->asmInfo.reset(target->createMCAsmInfo(*layer->registers, triple, options));
  layer->subtarget.reset(target->createMCSubtargetInfo(triple, chip, ""));
  layer->instructions.reset(target->createMCInstrInfo());
  layer->context = std::make_unique<MCContext>(triple, layer->asmInfo.get(), layer->registers.get(),
                                               layer->subtarget.get());
  layer->disassembler.reset(target->createMCDisassembler(*layer->subtarget, *layer->context));
  layer->printer.reset(
      target->createMCInstPrinter(triple, 0, *layer->asmInfo, *layer->instructions, *layer->registers));
  layer->printer->setPrintImmHex(true);
}

Disassembler::~Disassembler() = default;

bool Disassembler::decode(const Words &words, Encoded &result) const {
  SmallVector<uint8_t, 24> bytes(4 * words.size());
  for (unsigned i = 0; i < words.size(); ++i)
    support::endian::write32le(&bytes[4 * i], words[i]);
  result.inst = MCInst();
  uint64_t size = disassemble(*layer->disassembler, bytes, 0, result.inst);
  if (size == 0)
    return false;
  result.words.assign(words.begin(), words.begin() + size / 4);
  std::string text;
  raw_string_ostream stream(text);
  layer->printer->printInst(&result.inst, 0, "", *layer->subtarget, stream);
  result.text = StringRef(text).trim().str();
  return true;
}

namespace {

constexpr uint32_t vgpr = 256; ///< of a source field of 9 bits
constexpr uint32_t literal = 255, sdwa = 249, dpp = 250;

class Enumeration {
public:
  explicit Enumeration(const Disassembler &disassembler) : disassembler(disassembler) {}

  void add(Words words) {
    words.append(2, 0); // so that nothing is cut short
    Encoded encoded;
    if (disassembler.decode(words, encoded) && !StringRef(encoded.text).contains("/*") &&
        seen.insert(encoded.text).second)
      found.push_back(std::move(encoded));
  }

  void scalar() {
    for (uint32_t source : {8u, 16u, 106u, 129u, literal}) {
      for (uint32_t op = 0; op < 128; ++op) {
        add({0x80000000 | op << 23 | 16u << 16 | 20u << 8 | source, 0x12345678}); // SOP2
        add({0xbf000000 | op << 16 | 20u << 8 | source, 0x12345678});             // SOPC
      }
      for (uint32_t op = 0; op < 256; ++op)
        add({0xbe800000 | 16u << 16 | op << 8 | source, 0x12345678}); // SOP1
    }
    for (uint32_t immediate : {0u, 4u, 0x1234u, 0x801u, 0xf801u})
      for (uint32_t op = 0; op < 128; ++op) {
        add({0xbf800000 | op << 16 | immediate});                            // SOPP
        add({0xb0000000 | (op & 31) << 23 | 16u << 16 | immediate, 0x55aa}); // SOPK
      }
  }

  void scalarMemory() {
    for (uint32_t op = 0; op < 256; ++op)
      for (uint32_t modes : {2u, 0u, 1u, 3u, 6u}) // bit 1: immediate offset, bit 0: scalar offset
        for (uint32_t glc : {0u, 1u})
          add({0xc0000000 | op << 18 | (modes & 2) << 16 | (modes & 1) << 14 | (modes >> 2 & 1) << 15 |
                   glc << 16 | 16u << 6 | 4,
               (modes & 1 ? 24u << 25 : 0) | (modes & 2   ? 0x10
                                              : modes & 1 ? 0
                                                          : 24u)});
  }

  void vector() {
    for (uint32_t source : {vgpr + 12, 16u, 106u, 242u, literal, sdwa, dpp}) {
      SmallVector<uint32_t, 8> seconds = {0x12345678};
      if (source == sdwa) // src0, dst_sel, src0_sel, src1_sel; then other selections, and scalar destinations
                          // of compares
        seconds = {0x06060600u | 12, 0x05041200u | 12, 0x0d0e2500u | 12, 0x06060000u | 0x8000 | 0x1000 | 12,
                   0x06860600u | 16};
      if (source == dpp) // src0, control, masks: quad_perm, row_shr:1, row_newbcast:3, and with bound_ctrl
                         // and modifiers
        seconds = {0xff00e400u | 12, 0xff011100u | 12, 0x5a015300u | 12, 0xff0f4100u | 12};
      for (uint32_t second : seconds) {
        for (uint32_t op = 0; op < 64; ++op)
          add({op << 25 | 8u << 17 | 16u << 9 | source, second}); // VOP2
        for (uint32_t op = 0; op < 256; ++op) {
          add({0x7e000000 | 8u << 17 | op << 9 | source, second});  // VOP1
          add({0x7c000000 | op << 17 | 16u << 9 | source, second}); // VOPC
        }
      }
    }
  }

  /// VOP1 without operands.
  void vectorAlone() {
    for (uint32_t op = 0; op < 256; ++op)
      add({0x7e000000 | op << 9});
  }

  void vop3() {
    const uint32_t sources[][3] = {{vgpr + 12, vgpr + 16, vgpr + 20},
                                   {16, vgpr + 16, vgpr + 20},
                                   {129, 130, 128},
                                   {vgpr + 12, 20, 20},
                                   {vgpr + 12, vgpr + 16, 20},
                                   {vgpr + 12, 16, 16},
                                   {vgpr + 12, 193, 128},
                                   {129, vgpr + 16, vgpr + 20},
                                   {vgpr + 12, 0, 0},
                                   {vgpr + 12, vgpr + 16, 0}};
    for (uint32_t op = 0; op < 0x380; ++op) // behind it lie those of vop3p()
      for (const uint32_t (&s)[3] : sources)
        for (uint32_t middle : {0u, 24u, 1u, 8u}) { // a scalar destination, or abs and op_sel
          uint32_t first = 0xd0000000 | op << 16 | middle << 8 | 8, second = s[0] | s[1] << 9 | s[2] << 18;
          add({first, second});
          if (&s > &sources[4])
            continue;
          add({first | 1u << 15, second});                                // clamp
          add({first, second | 1u << 27 | (middle & 1 ? 1u : 2u) << 29}); // output modifier and negation
        }
  }

  /// Packed and matrix instructions.
  void vop3p() {
    const uint32_t sources[][3] = {{vgpr + 32, vgpr + 64, vgpr + 96},
                                   {vgpr + 32, vgpr + 64, vgpr + 8},
                                   {vgpr + 32, vgpr + 64, 242},
                                   {vgpr + 32, 20, vgpr + 96},
                                   {vgpr + 32, vgpr + 64, 0},
                                   {vgpr + 32, 0, 0},
                                   {128, 0, 0},
                                   {0, 0, 0},
                                   {vgpr + 32, vgpr + 64, 24}};
    for (uint32_t op = 0; op < 128; ++op)
      for (const uint32_t (&s)[3] : sources) {
        // The modifiers with vector registers only.
        if (&s != sources) {
          add({0xd3804000 | op << 16 | 8, s[0] | s[1] << 9 | s[2] << 18 | 3u << 27});
          add({0xd3800000 | op << 16 | 8, s[0] | s[1] << 9 | s[2] << 18});
          if (op == 0x2c)
            add({0xd3804000 | op << 16, s[0] | s[1] << 9 | s[2] << 18 | 3u << 27}); // the scales alone
          continue;
        }
        for (uint32_t high : {3u, 0u, 1u}) // op_sel_hi of the first two, or where A and B are
          for (uint32_t first : {0x40u, 0x00u, 0x80u, 0x03u, 0xc0u,
                                 0x1cu})      // op_sel, neg_hi, op_sel_hi of the third, clamp; cbsz, abid
            for (uint32_t neg : {0u, 1u, 4u}) // neg_lo, or blgp
              add({0xd3800000 | op << 16 | first << 8 | 8,
                   s[0] | s[1] << 9 | s[2] << 18 | high << 27 | neg << 29});
      }
    // With block scales: the scales' instruction in front.
    for (uint32_t op : {0x2du, 0x2eu})
      for (uint32_t formats : {0u, 1u, 2u, 3u, 4u})
        for (uint32_t select : {0u, 1u, 1u << 3, 1u << 11, 1u << 12})
          for (uint32_t scale : {vgpr + 4, 20u})
            add({0xd3ac0000 | (select & 0xff) << 8, scale | (vgpr + 6) << 9 | (select >> 11) << 27,
                 0xd3800800 | op << 16 | formats << 8 | 8,
                 (vgpr + 32) | (vgpr + 64) << 9 | (vgpr + 96) << 18 | formats << 29});
  }

  void lds() {
    for (uint32_t op = 0; op < 256; ++op)
      for (uint32_t offsets : {0u, 0x0804u, 0x801bu, 0x041fu})
        for (uint32_t bits : {0u, 1u << 25, 1u << 16}) // accumulation registers, gds
          for (uint32_t data : {12u << 8 | 16u << 16 | 8u << 24, 12u << 8 | 8u << 24, 8u << 24,
                                12u << 8 | 16u << 16, 12u << 8, 0u})
            for (uint32_t address : {4u, 0u})
              add({0xd8000000 | op << 17 | bits | offsets, address | data});
  }

  void flat() {
    for (uint32_t op = 0; op < 128; ++op)
      for (uint32_t segment : {0u, 1u, 2u})
        for (uint32_t cache : {0u, 1u << 16, 1u << 17, 1u << 25, 1u << 13}) // sc0, nt, sc1, lds
          for (uint32_t saddr : {segment ? 0x7fu : 0u, 20u})
            for (uint32_t acc : {0u, 1u << 23})
              for (uint32_t offset : {0u, 0x10u, 0x1ff8u}) {
                if (segment == 0 && saddr)
                  continue;
                if ((offset != 0x10 && (acc || cache)) || (segment == 0 && offset > 0xfff))
                  continue;
                for (uint32_t registers :
                     {4u | 8u << 8 | 16u << 24, 4u | 8u << 8, 4u | 16u << 24, 8u << 8 | 16u << 24, 0u})
                  add({0xdc000000 | op << 18 | segment << 14 | cache | offset,
                       registers | saddr << 16 | acc});
              }
  }

  void buffers() {
    for (uint32_t op = 0; op < 128; ++op)
      for (uint32_t modes : {0u, 1u, 2u, 3u})                               // offen, idxen
        for (uint32_t cache : {0u, 1u << 14, 1u << 15, 1u << 17, 1u << 16}) // sc0, sc1, nt, lds
          for (uint32_t acc : {0u, 1u << 23})
            for (uint32_t soffset : {24u, 128u})
              for (uint32_t offset : {0u, 0x10u}) {
                if (acc && cache)
                  continue;
                for (uint32_t registers : {4u | 8u << 8, 4u, 0u}) {
                  add({0xe0000000 | op << 18 | modes << 12 | cache | offset,
                       registers | 4u << 16 | acc | soffset << 24});
                  if (op < 16) // MTBUF, with a format
                    add({0xe8000000 | op << 15 | modes << 12 | (cache & 0x1c000) | offset | 0x15u << 19,
                         registers | 4u << 16 | acc | soffset << 24});
                }
              }
  }

  std::vector<Encoded> found;

private:
  const Disassembler &disassembler;
  StringSet<> seen;
};

} // namespace

std::vector<Encoded> lowp::sim::test::allEncodings(const Disassembler &disassembler) {
  Enumeration enumeration(disassembler);
  enumeration.scalar();
  enumeration.scalarMemory();
  enumeration.vector();
  enumeration.vectorAlone();
  enumeration.vop3();
  enumeration.vop3p();
  enumeration.lds();
  enumeration.flat();
  enumeration.buffers();
  return std::move(enumeration.found);
}
