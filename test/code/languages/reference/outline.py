"""Prints what ast says the files named on standard input declare, one JSON array a line."""
import ast
import json
import re
import sys
import warnings

warnings.simplefilter("ignore")


def make(node, name, kind, children=(), line=None):
    return {"name": name, "kind": kind, "startLine": line or node.lineno, "endLine": node.end_lineno, "children": list(children)}


def is_main(node):
    test = node.test
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__" and isinstance(test.ops[0], ast.Eq)


def bodies(node):
    for field in ("body", "handlers", "orelse", "finalbody", "cases"):
        yield from getattr(node, field, [])


def names(target):
    if isinstance(target, ast.Name):
        yield target
    elif isinstance(target, (ast.Tuple, ast.List)):
        for one in target.elts:
            yield from names(one)
    elif isinstance(target, ast.Starred):
        yield from names(target.value)


def is_property(node):
    text = [ast.unparse(one) for one in node.decorator_list]
    return any(re.match(r"(?:[\w.]*\bproperty|[\w.]*cached_property|\w+\.(?:setter|getter|deleter))\b", one) for one in text)


def variable_kind(owner, name):
    if owner == "enum":
        return "property" if name.startswith("_") else "enum-member"
    if owner == "class":
        return "property"
    return "const" if re.match(r"_*[A-Z][A-Z0-9_]*$", name) else "var"


def block(statements, owner, seen, values):
    for node in statements:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            kind = "function" if owner == "module" else "property" if is_property(node) else "method"
            yield make(node, node.name, kind)
        elif isinstance(node, ast.ClassDef):
            bases = " ".join(ast.unparse(one) for one in node.bases)
            inner = "enum" if re.search(r"\b(?:Int|Str)?(?:Enum|Flag)\b", bases) else "class"
            yield make(node, node.name, "class", block(node.body, inner, set(), True))
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            if values:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for name in [one for target in targets for one in names(target)]:
                    if name.id not in seen:
                        seen.add(name.id)
                        yield make(node, name.id, variable_kind(owner, name.id), line=name.lineno)
        elif isinstance(node, (ast.If, ast.Try, ast.With, ast.AsyncWith, ast.ExceptHandler)):
            within = values and not (isinstance(node, ast.If) and is_main(node))
            yield from block(bodies(node), owner, seen, within)
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.While)) or type(node).__name__ in ("Match", "match_case", "TryStar"):
            yield from block(bodies(node), owner, seen, False)
        elif type(node).__name__ == "TypeAlias":
            yield make(node, node.name.id, "type")


for line in sys.stdin:
    try:
        with open(line.rstrip("\n"), "rb") as file:
            tree = ast.parse(file.read())
        print(json.dumps(list(block(tree.body, "module", set(), True))))
    except Exception:
        print("null")
