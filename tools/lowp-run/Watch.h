// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What goes on beside a run: Ctrl-C ends it cleanly, and a terminal sees how far it is.
#ifndef LOWP_TOOLS_LOWP_RUN_WATCH_H
#define LOWP_TOOLS_LOWP_RUN_WATCH_H

#include "lowp/Sim/Simulator.h"
#include <condition_variable>
#include <mutex>
#include <thread>

namespace lowp {

/// While it lives, the first Ctrl-C cancels the runs that have its options; the second one ends the process
/// as always.
class Watch {
public:
  explicit Watch(sim::Options &options);
  ~Watch() { stop(); }
  /// Takes the line of the terminal back; whether Ctrl-C was pressed.
  bool stop();

private:
  void show();

  sim::RunProgress progress;
  std::mutex mutex;
  std::condition_variable wake;
  bool over = false;
  std::thread thread; ///< runs only where standard error is a terminal
};

} // namespace lowp

#endif // LOWP_TOOLS_LOWP_RUN_WATCH_H
