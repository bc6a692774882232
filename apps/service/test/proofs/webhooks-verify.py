"""Verifies webhook messages with nothing but Python's own hmac: one JSON object a line, then what came of them."""

import base64
import hashlib
import hmac
import json
import sys


def usual(secret: str, body: bytes) -> str:
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def standard(secret: str, message_id: str, timestamp: str, body: bytes) -> str:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = message_id.encode() + b"." + timestamp.encode() + b"." + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def is_good(message: dict) -> bool:
    body = base64.b64decode(message["body"])
    headers = message["headers"]
    if not hmac.compare_digest(headers["x-svc-signature"], usual(message["usual"], body)):
        return False
    given = headers["webhook-signature"].split(" ")
    wanted = [
        standard(secret, headers["webhook-id"], headers["webhook-timestamp"], body)
        for secret in message["standard"]
    ]
    return len(wanted) > 0 and all(signature in given for signature in wanted)


accepted = refused = 0
for line in sys.stdin:
    if is_good(json.loads(line)):
        accepted += 1
    else:
        refused += 1
print(json.dumps({"accepted": accepted, "refused": refused}))
