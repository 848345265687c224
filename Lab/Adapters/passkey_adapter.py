# SPDX-License-Identifier: Apache-2.0
"""The adapter protocol of `passkey verify --against`, for adapters in Python. Lab/Documentation/Adapters.md describes it."""

import base64
import json
import platform
import sys
import warnings


class Unsupported(Exception):
    """The library has no parameter for something that the case needs."""


def bytes_of(text):
    """Decodes base64url without padding."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def serve(name, version, can, judge, refusals):
    """Answers one line after the other until the end of the input.

    `judge` verifies a case: it returns if the library accepts the response and raises otherwise. `refusals` are the exceptions
    by which the library refuses a response. Any other exception is a crash.
    """
    answers = sys.stdout
    # Anything that a library prints would not be an answer.
    sys.stdout = sys.stderr
    # A library that warns about a certificate is about to judge it.
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        request = json.loads(line)
        if "hello" in request:
            answer = {"name": name, "version": version, "runtime": f"Python {platform.python_version()}", "can": can}
        else:
            answer = {"id": request["id"], **verdict(judge, request, refusals)}
        print(json.dumps(answer), file=answers, flush=True)


def verdict(judge, case, refusals):
    try:
        judge(case)
    except Unsupported as reason:
        return {"verdict": "unsupported", "reason": str(reason)}
    except refusals as error:
        return {"verdict": "refused", "reason": described(error)}
    except Exception as error:
        return {"verdict": "crashed", "reason": described(error)}
    return {"verdict": "accepted"}


def described(error):
    """The type of an exception and the first line of its message."""
    message = str(error).strip().splitlines()
    return f"{type(error).__name__}: {message[0][:200]}" if message else type(error).__name__
