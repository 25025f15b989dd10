# Prints, as JSON, where this interpreter imports from inside a folder, relative to it.
import json, os, sys

root = os.path.realpath(sys.argv[1])
own = {os.path.realpath(path) for path in (sys.prefix, sys.base_prefix, sys.exec_prefix)}
found = []


def inside(path, folder):
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def add(path):
    path = os.path.realpath(path)
    if inside(path, root) and not any(inside(path, place) for place in own if place != root):
        path = os.path.relpath(path, root)
        if path not in found:
            found.append(path)


def add_package(name):
    from importlib.util import find_spec
    spec = find_spec(name)
    places = [spec.origin] if spec.origin else list(spec.submodule_search_locations or [])
    for place in places:
        place = os.path.realpath(place)
        if os.path.basename(place) == "__init__.py":
            place = os.path.dirname(place)
        add(os.path.dirname(place))


for path in sys.path:
    if path and os.path.isdir(path):
        add(path)
try:
    from importlib.metadata import distributions
    for distribution in distributions():
        url = distribution.read_text("direct_url.json")
        if url and json.loads(url).get("dir_info", {}).get("editable"):
            for name in (distribution.read_text("top_level.txt") or "").split():
                try:
                    add_package(name)
                except Exception:
                    pass
except Exception:
    pass
print(json.dumps(found))
