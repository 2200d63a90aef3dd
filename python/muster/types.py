"""Every shape of the API, made from the daemon's schema: `from muster.types import UniversalEvent`."""
from muster.generated.types import *
