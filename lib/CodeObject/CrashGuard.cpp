// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM reports what it cannot go on from by report_fatal_error, which ends the process. Here it ends the
// guarded step only: while a thread is inside runGuarded, a handler keeps the message for that thread and
// leaves through LLVM's CrashRecoveryContext; so does a crash. The handler is LLVM's one process-wide hook,
// hence installed only while somebody is inside; for other threads it prints and ends the process as LLVM
// would.
#include "lowp/CodeObject/CrashGuard.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>

using namespace llvm;

namespace lowp {
namespace {

// The message of the guard that this thread is in, if it is in one.
thread_local std::string *currentMessage = nullptr;

void onFatalError(void *, const char *reason, bool) {
  if (currentMessage) {
    if (CrashRecoveryContext *context = CrashRecoveryContext::GetCurrent()) {
      *currentMessage = reason;
      context->HandleExit(1);
    }
  }
  errs() << "LLVM ERROR: " << reason << "\n"; // some other thread's, and not ours to contain
}

/// Counts the guards in the process.
class FatalErrorHook {
public:
  FatalErrorHook() {
    std::lock_guard<std::mutex> lock(state().mutex);
    if (state().users++ == 0)
      install_fatal_error_handler(onFatalError);
  }
  ~FatalErrorHook() {
    std::lock_guard<std::mutex> lock(state().mutex);
    if (--state().users == 0)
      remove_fatal_error_handler();
  }

private:
  struct State {
    std::mutex mutex;
    unsigned users = 0;
  };
  static State &state() {
    static State instance;
    return instance;
  }
};

void enableCrashRecovery() {
  static std::once_flag once;
  std::call_once(once, [] {
    // The handlers that remove temporary files have to be there first: installed later, they would take the
    // place of those that recover from crashes.
    sys::RemoveFileOnSignal("");
    sys::DontRemoveFileOnSignal("");
    CrashRecoveryContext::Enable();
  });
}

} // namespace

Error runGuarded(StringRef what, bool &crashed, function_ref<Error()> body) {
  enableCrashRecovery();
  FatalErrorHook hook;
  std::string message;
  std::string *outer = currentMessage;
  currentMessage = &message;
  std::optional<Error> result;
  CrashRecoveryContext context;
  crashed = !context.RunSafely([&] { result.emplace(body()); });
  currentMessage = outer;
  if (!crashed) { // a message is there if lld, which has a recovery context of its own, ran into the handler
    if (*result && !message.empty())
      return joinErrors(std::move(*result), createStringError(message));
    return std::move(*result);
  }
  if (message.empty())
    return createStringError(formatv("{0}: LLVM crashed", what).str());
  return createStringError(formatv("{0}: {1}", what, message).str());
}

} // namespace lowp
