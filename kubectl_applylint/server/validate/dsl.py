"""The vocabulary of constraints, for the modules with the validation rules of kinds.

They import it as ``v``: ``"spec.replicas": [v.at_least(0)]``. Each word is defined in one of the modules listed here.
"""
# ruff: noqa: F403, PLC0414  # whole modules, and single names of two that have other names as well

from kubectl_applylint.core.outcome import FieldError as FieldError
from kubectl_applylint.server.validate.amounts import *
from kubectl_applylint.server.validate.conditions import *
from kubectl_applylint.server.validate.constraints import *
from kubectl_applylint.server.validate.field_context import *
from kubectl_applylint.server.validate.formats import *
from kubectl_applylint.server.validate.metadata import well_formed_annotations as well_formed_annotations
from kubectl_applylint.server.validate.metadata import well_formed_labels as well_formed_labels
from kubectl_applylint.server.validate.names import *
from kubectl_applylint.server.validate.portions import *
from kubectl_applylint.server.validate.rules import *
from kubectl_applylint.server.validate.selectors import *
from kubectl_applylint.server.validate.unions import *
from kubectl_applylint.server.validate.walk import inside as inside
