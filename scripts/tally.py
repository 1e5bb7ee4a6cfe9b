# SPDX-FileCopyrightText: the lowp authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adds up the results of all suites and closes with the line `N passed, N failed`.

Usage: tally.py DIRECTORY...
A directory holds what one run left: ctest.xml (ctest --output-junit) and, for the programs in it that run many tests, what
they wrote themselves: lit.json, pytest.xml and gtest/NAME.xml; and other *.xml files in JUnit's form. A program that
failed without saying which of its tests did (it crashed, or never started) counts as one failure.
"""

import collections
import json
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

Counts = collections.namedtuple("Counts", "passed failed skipped")


def of_junit(path):
    """Names of the tests by outcome, from JUnit XML as GoogleTest, pytest and our scripts write it."""
    outcome = Counts([], [], [])
    for case in ElementTree.parse(path).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            kind = outcome.failed
        elif case.find("skipped") is not None or case.get("status") == "notrun":
            kind = outcome.skipped
        else:
            kind = outcome.passed
        kind.append(".".join(filter(None, [case.get("classname"), case.get("name")])))
    return outcome


def of_ctest_junit(path):
    """The same for ctest, which also calls a program that is missing "skipped"."""
    outcome = Counts([], [], [])
    for case in ElementTree.parse(path).iter("testcase"):
        skipped = case.find("skipped")
        if case.get("status") == "run":
            kind = outcome.passed
        elif case.get("status") == "disabled" or (skipped is not None and "SKIP_" in skipped.get("message", "")):
            kind = outcome.skipped
        else:
            kind = outcome.failed
        kind.append(case.get("name"))
    return outcome


def of_lit(path):
    outcome = Counts([], [], [])
    for test in json.loads(path.read_text())["tests"]:
        code = test["code"]
        kind = (
            outcome.passed if code in ("PASS", "FLAKYPASS", "XFAIL")
            else outcome.skipped if code in ("UNSUPPORTED", "SKIPPED", "EXCLUDED")
            else outcome.failed
        )
        kind.append(test["name"])
    return outcome


def details(directory, program):
    """What the program says of its own tests, or None."""
    candidates = {"lit": directory / "lit.json", "pytest": directory / "pytest.xml"}
    path = candidates.get(program, directory / "gtest" / f"{program}.xml")
    if not path.exists():
        return None
    try:
        return of_lit(path) if path.suffix == ".json" else of_junit(path)
    except (ElementTree.ParseError, json.JSONDecodeError):
        return None


def merge(total, part):
    for mine, other in zip(total, part):
        mine.extend(other)


def of_ctest(directory):
    total = Counts([], [], [])
    programs = of_ctest_junit(directory / "ctest.xml")
    for kind in programs._fields:
        for program in getattr(programs, kind):
            own = details(directory, program)
            if own:
                merge(total, own)
            if not own or (kind == "failed" and not own.failed):
                getattr(total, kind).append(program)
    return total


def of_directory(directory):
    total = Counts([], [], [])
    for path in sorted(directory.glob("*.xml")):
        if path.name not in ("ctest.xml", "pytest.xml"):
            merge(total, of_junit(path))
    if (directory / "ctest.xml").exists():
        merge(total, of_ctest(directory))
    return total


def main(arguments):
    total = Counts([], [], [])
    for argument in arguments:
        merge(total, of_directory(pathlib.Path(argument)))
    for name in total.skipped:
        print(f"skipped: {name}")
    for name in total.failed:
        print(f"FAILED: {name}")
    print(f"{len(total.passed)} passed, {len(total.failed)} failed")
    return 1 if total.failed or not total.passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
