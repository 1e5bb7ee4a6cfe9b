// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state a kernel starts in. LLVM's "User Guide for AMDGPU Backend", sections "Kernel Prolog", "Initial
// Kernel Execution State" and "Kernel Argument"; the AQL packet: HSA runtime specification.

#include "Dispatch.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace lowp;
using namespace lowp::sim;

/// Bits of kernel_code_properties: which user SGPRs are set up, in this order.
enum Properties : uint16_t {
  PrivateSegmentBuffer = 1,
  DispatchPtr = 2,
  QueuePtr = 4,
  KernargPtr = 8,
  DispatchId = 16,
  FlatScratchInit = 32,
  PrivateSegmentSize = 64,
};

/// Kernels with preloaded arguments begin with a block of this size for firmware that cannot preload.
static constexpr unsigned preloadPrologue = 256;
static constexpr unsigned maxUserSgprs = 16;
/// A dynamic stack has no bound in the metadata.
static constexpr uint32_t dynamicStackBytes = 16384;
/// hsa_kernel_dispatch_packet_t, and amd_queue_t (amd_hsa_queue.h) as far as it is stable.
static constexpr unsigned packetBytes = 64, queueBytes = 256;
static constexpr unsigned queueGroupAperture = 64, queuePrivateAperture = 68, queueMaxCu = 72,
                          queueMaxWave = 76;
/// 8191 units of 1 KB a wave; and more arguments than any runtime takes.
static constexpr uint32_t maxScratch = 8191 * 16, maxKernarg = 1 << 20;

static Error bad(const Twine &message) { return createStringError(inconvertibleErrorCode(), message); }

Error Dispatch::checkLaunch(const Program &program) const {
  const uint32_t (&block)[3] = launch.block;
  auto size = [](const uint32_t *s) {
    return (Twine(s[0]) + " x " + Twine(s[1]) + " x " + Twine(s[2])).str();
  };
  for (unsigned i = 0; i < 3; ++i) {
    if (!launch.grid[i] || !block[i])
      return bad("the grid and the block of '" + info->name + "' must not be empty");
    if (block[i] > 1024)
      return bad("a workgroup of " + size(block) + " work-items is too large (at most 1024)");
  }
  if (info->requiredWorkgroup[0] && !std::equal(block, block + 3, info->requiredWorkgroup))
    return bad("kernel '" + info->name + "' requires workgroups of " + size(info->requiredWorkgroup) +
               " work-items, but the launch says " + size(block));
  uint64_t items = uint64_t(block[0]) * block[1] * block[2];
  if (items > 1024 || (info->maxWorkgroup && items > info->maxWorkgroup))
    return bad("a workgroup of " + size(block) + " work-items is larger than kernel '" + info->name +
               "' allows (" + Twine(info->maxWorkgroup ? info->maxWorkgroup : 1024) + ")");
  // 64 bits hold the first product; the second is only made when that is small.
  uint64_t plane = uint64_t(launch.grid[0]) * launch.grid[1];
  if (plane > UINT32_MAX || plane * launch.grid[2] > UINT32_MAX)
    return bad("the grid of " + size(launch.grid) + " workgroups is too large (below 2^32 in all)");
  for (unsigned i = 0; i < 3; ++i)
    if (uint64_t(launch.grid[i]) * block[i] > UINT32_MAX)
      return bad("the grid has " + Twine(uint64_t(launch.grid[i]) * block[i]) + " work-items along " +
                 Twine("xyz"[i]) + ", but a dispatch packet counts up to 2^32 - 1");
  if (uint64_t(info->lds) + launch.dynamicLds > program.chip.ldsBytes)
    return bad("kernel '" + info->name + "' needs " + Twine(uint64_t(info->lds) + launch.dynamicLds) +
               " bytes of LDS, but a workgroup has " + Twine(program.chip.ldsBytes));
  if (info->scratch > maxScratch)
    return bad("kernel '" + info->name + "' wants " + Twine(info->scratch) +
               " bytes of private memory for each work-item; a wave can have " + Twine(maxScratch) +
               " a lane");
  if (info->kernargSize > maxKernarg)
    return bad("kernel '" + info->name + "' takes " + Twine(info->kernargSize) +
               " bytes of arguments (at most " + Twine(maxKernarg) + ")");
  if (launch.kernarg.bytes.size() > info->kernargSize)
    return bad("the launch sets " + Twine(launch.kernarg.bytes.size()) + " bytes of arguments, but kernel '" +
               info->name + "' takes " + Twine(info->kernargSize));
  if (info->codeProperties & (1 << 10))
    return bad("kernel '" + info->name + "' is for waves of 32 lanes");
  return Error::success();
}

Expected<std::unique_ptr<Dispatch>> Dispatch::create(const HsaCodeObject &object, const Program &program,
                                                     const std::vector<uint8_t> &image,
                                                     const LaunchConfig &launch, ArrayRef<Buffer> buffers,
                                                     bool preload) {
  std::unique_ptr<Dispatch> dispatch(new Dispatch(launch));
  dispatch->preload = preload;
  dispatch->info = object.find(launch.kernel);
  if (!dispatch->info) {
    std::string names;
    for (const KernelInfo &kernel : object.kernels())
      names += (names.empty() ? "'" : ", '") + kernel.name + "'";
    return bad("the code object has no kernel '" + launch.kernel + "'; it has " +
               (names.empty() ? "none" : names));
  }
  const KernelInfo &info = *dispatch->info;
  if (Error error = dispatch->checkLaunch(program))
    return std::move(error);
  uint64_t entry = info.entry + (info.preloadDwords && preload ? preloadPrologue : 0);
  dispatch->entry = program.indexOf(entry);
  if (dispatch->entry == Program::nowhere)
    return bad("the entry of kernel '" + info.name + "' is not an instruction");

  Memory &memory = dispatch->memory;
  dispatch->imageBytes = image;
  memory.add(
      {"the code object", imageBase, imageBase + image.size(), dispatch->imageBytes.data(), nullptr, false});
  dispatch->argumentBytes = info.kernargSize;
  // Scalar loads of whole cache lines are in order.
  size_t padded = (info.kernargSize + 63) / 64 * 64 + 64;
  dispatch->kernarg.assign(padded, 0xcd);
  if (Error error = memory.makeShadow(padded).moveInto(dispatch->kernargShadow))
    return std::move(error);
  std::copy(launch.kernarg.bytes.begin(), launch.kernarg.bytes.end(), dispatch->kernarg.begin());
  std::copy(launch.kernarg.covered.begin(), launch.kernarg.covered.end(), dispatch->kernargShadow);
  for (size_t i = 0; i < launch.kernarg.bytes.size(); ++i)
    if (!dispatch->kernargShadow[i])
      dispatch->kernarg[i] = 0xcd;
  dispatch->fillHiddenArguments();
  memory.add({"the kernel arguments", kernargBase, kernargBase + padded, dispatch->kernarg.data(),
              dispatch->kernargShadow, false});
  dispatch->makePacket();
  memory.add(
      {"the dispatch packet", packetBase, packetBase + packetBytes, dispatch->packet.data(), nullptr, false});
  dispatch->makeQueue();
  memory.add({"the queue", queueBase, queueBase + queueBytes, dispatch->queue.data(), nullptr, false});

  dispatch->firstBuffer = unsigned(memory.regionCount());
  std::vector<uint64_t> addresses = guestAddresses(buffers);
  for (unsigned i = 0; i < buffers.size(); ++i) {
    const Buffer &buffer = buffers[i];
    if (buffer.align & (buffer.align - 1))
      return bad("the alignment of buffer '" + buffer.name + "' must be a power of two, but is " +
                 Twine(buffer.align));
    if (buffer.bytes && !buffer.data)
      return bad("buffer '" + buffer.name + "' has no data");
    uint8_t *shadow = buffer.initialised ? nullptr : buffer.written;
    if (!buffer.initialised && !shadow)
      if (Error error = memory.makeShadow(buffer.bytes).moveInto(shadow))
        return std::move(error);
    memory.add({buffer.name, addresses[i], addresses[i] + buffer.bytes, static_cast<uint8_t *>(buffer.data),
                shadow, buffer.access != Buffer::Access::Read});
  }
  memory.sort();
  return std::move(dispatch);
}

void Dispatch::fillHiddenArguments() {
  const uint32_t (&grid)[3] = launch.grid, (&block)[3] = launch.block;
  for (const KernelArgument &argument : info->arguments) {
    if (!StringRef(argument.valueKind).starts_with("hidden_") || argument.valueKind == "hidden_none")
      continue;
    uint64_t value = StringSwitch<uint64_t>(argument.valueKind)
                         .Case("hidden_block_count_x", grid[0])
                         .Case("hidden_block_count_y", grid[1])
                         .Case("hidden_block_count_z", grid[2])
                         .Case("hidden_group_size_x", block[0])
                         .Case("hidden_group_size_y", block[1])
                         .Case("hidden_group_size_z", block[2])
                         .Case("hidden_grid_dims", dimensions())
                         .Case("hidden_private_base", privateAperture >> 32)
                         .Case("hidden_shared_base", sharedAperture >> 32)
                         .Case("hidden_dynamic_lds_size", launch.dynamicLds)
                         .Case("hidden_queue_ptr", queueBase)
                         // Whole workgroups only, from the origin, and no services of a host: remainders,
                         // global offsets, and the pointers to buffers, heaps and queues are zero.
                         .Default(0);
    unsigned size = std::min<unsigned>(argument.size, 8);
    if (uint64_t(argument.offset) + size > kernarg.size() || !size)
      continue;
    if (kernargShadow[argument.offset]) // the launch knows better
      continue;
    std::memcpy(kernarg.data() + argument.offset, &value, size);
    std::memset(kernargShadow + argument.offset, 1, size);
  }
}

void Dispatch::makePacket() {
  packet.assign(packetBytes, 0);
  auto put = [&](unsigned offset, auto value) { std::memcpy(packet.data() + offset, &value, sizeof(value)); };
  constexpr uint16_t kernelDispatch = 2;
  put(0, kernelDispatch);
  put(2, uint16_t(dimensions()));
  for (unsigned i = 0; i < 3; ++i) {
    put(4 + 2 * i, uint16_t(launch.block[i]));
    put(12 + 4 * i, uint32_t(launch.grid[i] * launch.block[i]));
  }
  put(24, info->scratch);
  put(28, ldsSize());
  put(32, imageBase + info->descriptorAddress);
  put(40, kernargBase);
}

/// Code objects before version 5 find the apertures of LDS and private memory here.
void Dispatch::makeQueue() {
  queue.assign(queueBytes, 0);
  auto put = [&](unsigned offset, uint32_t value) { std::memcpy(queue.data() + offset, &value, 4); };
  put(queueGroupAperture, uint32_t(sharedAperture >> 32));
  put(queuePrivateAperture, uint32_t(privateAperture >> 32));
  put(queueMaxCu, 0);
  put(queueMaxWave, waves() - 1);
}

unsigned Dispatch::dimensions() const {
  const uint32_t (&grid)[3] = launch.grid, (&block)[3] = launch.block;
  return grid[2] > 1 || block[2] > 1 ? 3 : grid[1] > 1 || block[1] > 1 ? 2 : 1;
}

void Dispatch::position(uint32_t linear, uint32_t (&out)[3]) const {
  out[0] = linear % launch.grid[0];
  out[1] = linear / launch.grid[0] % launch.grid[1];
  out[2] = linear / launch.grid[0] / launch.grid[1];
}

void Dispatch::initialise(Engine &engine, Wave &wave, unsigned waveInGroup, uint32_t linearWorkgroup) const {
  std::memset(wave.vs, 0, sizeof(wave.vs));
  std::memset(wave.ss, 0, sizeof(wave.ss));
  std::memset(wave.s, 0xcd, sizeof(wave.s));
  wave.id = waveInGroup;
  wave.pc = entry;
  wave.done = wave.atBarrier = wave.yielded = false;
  wave.priority = 0;
  wave.clock = 64; // far from any event
  wave.vmIssued = wave.vmDone = wave.dsIssued = wave.dsDone = wave.smemIssued = wave.smemDone =
      wave.lastDsWrite = 0;
  wave.unsettled.fill();
  wave.recent.clear();
  wave.valuAt = wave.execByValuAt = wave.m0BySaluAt = wave.wideStoreAt = wave.setRegisterAt = wave.skipAt =
      wave.doubleMatrixAt = wave.matrixFreeAt = 0;
  wave.wideStore = {};
  wave.copies.clear();
  wave.lastRegion = nullptr;
  // FLOAT_MODE, DX10_CLAMP, IEEE and FP16_OVFL of rsrc1 as MODE holds them.
  uint32_t rsrc1 = info->rsrc1;
  wave.setMode((rsrc1 >> 12 & 0xff) | (rsrc1 >> 21 & 1) << 8 | (rsrc1 >> 23 & 1) << 9 |
               (rsrc1 >> 26 & 1) << 23);
  // GPR_ALLOC: VGPR_SIZE 11:6, ACCV_OFFSET 17:12, SGPR_SIZE 27:24, as the kernel driver's trap handler reads.
  wave.gprAlloc = (rsrc1 & 63) << 6 | (info->rsrc3 & 63) << 12 | (rsrc1 >> 6 & 15) << 24;

  uint32_t scratch = info->scratch + (info->dynamicStack ? dynamicStackBytes : 0);
  wave.scratchSize = scratch;
  wave.scratch.assign(size_t(scratch) * 64, 0xcd);
  wave.scratchShadow.assign(size_t(scratch) * 64, 0);

  unsigned next = 0;
  auto set = [&](unsigned reg, uint32_t value) {
    wave.s[reg] = value;
    wave.ss[reg].valid = true;
  };
  auto push64 = [&](uint64_t value) {
    set(next++, uint32_t(value));
    set(next++, uint32_t(value >> 32));
  };
  uint16_t properties = info->codeProperties;
  if (properties & PrivateSegmentBuffer)
    next += 4;
  if (properties & DispatchPtr)
    push64(packetBase);
  if (properties & QueuePtr)
    push64(queueBase);
  if (properties & KernargPtr)
    push64(kernargBase);
  if (properties & DispatchId)
    push64(0);
  if (properties & FlatScratchInit)
    push64(0);
  if (properties & PrivateSegmentSize)
    set(next++, scratch);
  for (unsigned i = 0; preload && i < info->preloadDwords && next < maxUserSgprs; ++i) {
    size_t offset = 4 * (size_t(info->preloadOffset) + i);
    if (offset + 4 > kernarg.size())
      break;
    std::memcpy(&wave.s[next], kernarg.data() + offset, 4);
    const uint8_t *shadow = kernargShadow + offset;
    wave.ss[next++].valid = shadow[0] | shadow[1] | shadow[2] | shadow[3];
  }
  // The count of rsrc2 says where the system's registers begin; what is counted but not set up holds nothing.
  uint32_t rsrc2 = info->rsrc2;
  next = std::max(next, std::min<unsigned>(rsrc2 >> 1 & 0x1f, maxUserSgprs));
  uint32_t workgroup[3];
  position(linearWorkgroup, workgroup);
  for (unsigned i = 0; i < 3; ++i)
    if (rsrc2 >> (7 + i) & 1)
      set(next++, workgroup[i]);
  if (rsrc2 >> 10 & 1) // workgroup info: bit 31 first wave, bits 5:0 waves of the workgroup
    set(next++, waves() | (waveInGroup == 0 ? uint32_t(1) << 31 : 0));

  for (unsigned reg = SharedBase; reg < NumScalars; ++reg)
    set(reg, 0);
  wave.ss[Scc].valid = false;
  wave.setPair(SharedBase, sharedAperture);
  wave.setPair(SharedLimit, sharedAperture + apertureSize - 1);
  wave.setPair(PrivateBase, privateAperture);
  wave.setPair(PrivateLimit, privateAperture + apertureSize - 1);
  for (unsigned reg : {unsigned(FlatScratch), unsigned(XnackMask)})
    for (unsigned i = 0; i < 2; ++i)
      set(reg + i, 0);
  set(ExecReg, 0);
  set(ExecReg + 1, 0);

  uint32_t first = waveInGroup * 64, items = workItems();
  uint32_t count = std::min<uint32_t>(64, items - first);
  wave.setPair(ExecReg, count == 64 ? ~uint64_t(0) : (uint64_t(1) << count) - 1);
  for (unsigned lane = 0; lane < 64; ++lane) {
    uint32_t item = first + lane;
    uint32_t x = item % launch.block[0], y = item / launch.block[0] % launch.block[1],
             z = item / launch.block[0] / launch.block[1];
    // v0 holds all ids, ten bits each; those that rsrc2 does not ask for are zero (LLVM does not mask them).
    unsigned dimensions = rsrc2 >> 11 & 3;
    uint32_t packed = x | (dimensions > 0 ? y << 10 : 0) | (dimensions > 1 ? z << 20 : 0);
    wave.v[0][lane] = lane < count ? packed : 0xcdcdcdcd;
  }
  wave.vs[0].valid = wave.exec();
  (void)engine;
}
