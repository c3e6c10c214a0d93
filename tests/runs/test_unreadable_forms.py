"""What no answer can be read by is said when the question is made."""

import pytest

from gateway.core.errors import ValidationFailed
from gateway.core.interrupts import QuestionKind
from gateway.runs.schema import answer_form


@pytest.mark.parametrize("schema", [{"not": {"type": "null"}}, {"type": "string", "if": {}}])
def test_a_form_that_no_text_can_be_read_by_is_refused_at_asking(schema):
    with pytest.raises(ValidationFailed, match="no answer can be read by"):
        answer_form(schema, QuestionKind.INPUT)


@pytest.mark.parametrize("schema", [bool, int, {"type": "array", "items": {"enum": ["a", "b"]}}])
def test_others_are_not(schema):
    assert answer_form(schema, QuestionKind.INPUT).schema
