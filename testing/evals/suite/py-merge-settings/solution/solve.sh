cat > settings.py <<'PY'
from copy import deepcopy


def merge(*layers):
    """Joins dictionaries, later ones win; None removes a key. Nothing is shared with the layers."""
    merged = {}
    for layer in layers:
        merged = _join(merged, layer)
    return merged


def _join(below, above):
    joined = deepcopy(below)
    for key, value in above.items():
        if value is None:
            joined.pop(key, None)
        elif isinstance(value, dict):
            under = joined.get(key)
            joined[key] = _join(under if isinstance(under, dict) else {}, value)
        else:
            joined[key] = deepcopy(value)
    return joined
PY
