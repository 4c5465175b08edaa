"""Checks a manifest against vcpkg's rules for ports: vcpkg_manifest.py vcpkg.json

The rules are those of the page "vcpkg.json reference" of vcpkg's documentation and of its command
format-manifest: known fields in its order, names, the version, dependencies and features.
"""
import json
import re
import sys

FIELDS = ["name", "version", "port-version", "description", "homepage", "documentation", "license",
          "supports", "dependencies", "default-features", "features"]
DEPENDENCY_FIELDS = ["name", "host", "default-features", "features", "platform", "version>="]
FEATURE_FIELDS = ["description", "supports", "dependencies", "license"]
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
RESERVED = re.compile(r"prn|aux|nul|con|core|default|lpt[0-9]|com[0-9]")
VERSION = re.compile(r"\d+(\.\d+)*")
PLATFORM = re.compile(r"!?\(?[a-z0-9]+\)?( [&|] !?\(?[a-z0-9]+\)?)*")

findings = []


def expect(condition, text):
    if not condition:
        findings.append(text)


def check_name(name):
    expect(NAME.fullmatch(name) and not RESERVED.fullmatch(name), f"'{name}' is no name of vcpkg")


def check_fields(what, got, known):
    in_order = [field for field in known if field in got]
    expect(list(got) == in_order, f"{what}: expected the fields {in_order}, got {list(got)}")


def check_dependencies(dependencies):
    names = [d if isinstance(d, str) else d["name"] for d in dependencies]
    expect(names == sorted(set(names)), f"expected dependencies in order, got {names}")
    for name, dependency in zip(names, dependencies):
        check_name(name)
        if not isinstance(dependency, str):
            check_fields(name, dependency, DEPENDENCY_FIELDS)
            expect(len(dependency) > 1, f"{name}: expected more fields than a name")


def check_feature(name, feature):
    check_name(name)
    check_fields(name, feature, FEATURE_FIELDS)
    expect(feature.get("description"), f"{name} has no description")
    check_dependencies(feature.get("dependencies", []))


def check(text):
    manifest = json.loads(text)
    check_fields("manifest", manifest, FIELDS)
    for field in ("name", "version", "description", "license", "dependencies"):
        expect(field in manifest, f"'{field}' is missing")
    check_name(manifest["name"])
    expect(VERSION.fullmatch(manifest["version"]), f"version is {manifest['version']}")
    expect(PLATFORM.fullmatch(manifest["supports"]), f"supports is {manifest['supports']}")
    check_dependencies(manifest["dependencies"])
    features = manifest.get("features", {})
    expect(list(features) == sorted(features), f"expected features in order, got {list(features)}")
    for name, feature in features.items():
        check_feature(name, feature)
    expect(text == json.dumps(manifest, indent=2) + "\n", "is not formatted as by format-manifest")


check(open(sys.argv[1], encoding="utf-8").read())
sys.exit("\n".join(findings) or 0)
