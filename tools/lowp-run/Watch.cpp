// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A signal handler may set a flag and little else, so the flag is global.

#include "Watch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace lowp;

static std::atomic<bool> interruptFlag{false};

Watch::Watch(sim::Options &options) {
  interruptFlag = false;
  options.cancel = &interruptFlag;
  options.progress = &progress;
  llvm::sys::SetInterruptFunction([] { interruptFlag = true; });
  if (llvm::sys::Process::StandardErrIsDisplayed())
    thread = std::thread([this] { show(); });
}

bool Watch::stop() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    over = true;
  }
  wake.notify_all();
  if (thread.joinable())
    thread.join();
  llvm::sys::SetInterruptFunction(nullptr);
  return interruptFlag;
}

void Watch::show() {
  using namespace std::chrono_literals;
  auto start = std::chrono::steady_clock::now();
  bool shown = false;
  std::unique_lock<std::mutex> lock(mutex);
  while (!wake.wait_for(lock, 1s, [this] { return over; })) {
    uint64_t all = progress.allWorkgroups;
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (seconds < 3 || !all) // short runs stay silent
      continue;
    llvm::errs() << llvm::formatv("\r{0} of {1} workgroups, {2:f0} million instructions, {3:f0} s ",
                                  uint64_t(progress.workgroups), all, double(progress.instructions) / 1e6,
                                  seconds);
    shown = true;
  }
  if (shown)
    llvm::errs() << "\r\x1b[K"; // the line is for watching, not for the record
}
