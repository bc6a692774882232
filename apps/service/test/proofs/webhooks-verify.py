"""Verifies webhook messages with Python's hmac only. Reads one JSON object per line, then prints the counts."""

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


def is_valid(message: dict) -> bool:
    body = base64.b64decode(message["body"])
    headers = message["headers"]
    if not hmac.compare_digest(headers["x-svc-signature"], usual(message["usual"], body)):
        return False
    signatures = headers["webhook-signature"].split(" ")
    expected = [
        standard(secret, headers["webhook-id"], headers["webhook-timestamp"], body)
        for secret in message["standard"]
    ]
    return len(expected) > 0 and all(signature in signatures for signature in expected)


accepted = refused = 0
for line in sys.stdin:
    if is_valid(json.loads(line)):
        accepted += 1
    else:
        refused += 1
print(json.dumps({"accepted": accepted, "refused": refused}))
