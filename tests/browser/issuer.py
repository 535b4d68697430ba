"""A tiny OpenID provider for tests: it lets everybody in as whoever the test says, without asking."""

from __future__ import annotations

import base64
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256

CLIENT, SECRET = "ragdash-tests", "not-a-secret"


class Issuer:
    """Listens on a free port. `claims` are what it says of whoever signs in next."""

    def __init__(self) -> None:
        self.claims: dict[str, Any] = {}
        self._key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self._nonces: dict[str, str] = {}
        self._server = ThreadingHTTPServer(("localhost", 0), self._handler())
        self.url = f"http://localhost:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def secrets(self, app: str) -> str:
        """The app's secrets.toml."""
        lines = {
            "redirect_uri": f"{app}/oauth2callback",
            "cookie_secret": "c" * 40,
            "client_id": CLIENT,
            "client_secret": SECRET,
            "server_metadata_url": f"{self.url}/.well-known/openid-configuration",
        }
        return "[auth]\n" + "".join(f'{key} = "{value}"\n' for key, value in lines.items())

    def _metadata(self) -> dict[str, Any]:
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
        }

    def _keys(self) -> dict[str, Any]:
        numbers = self._key.public_key().public_numbers()
        return {"keys": [{"kty": "RSA", "kid": "1", "use": "sig", "alg": "RS256", "n": _number(numbers.n),
                          "e": _number(numbers.e)}]}  # fmt: skip

    def _signed(self, nonce: str) -> str:
        now = int(time.time())
        claims = {"iss": self.url, "aud": CLIENT, "sub": "1", "iat": now, "exp": now + 600, "nonce": nonce}
        parts = [{"alg": "RS256", "kid": "1", "typ": "JWT"}, claims | self.claims]
        said = ".".join(_text(json.dumps(part).encode()) for part in parts)
        return f"{said}.{_text(self._key.sign(said.encode(), padding.PKCS1v15(), SHA256()))}"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        issuer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                url = urlsplit(self.path)
                if url.path == "/authorize":
                    asked = {key: values[0] for key, values in parse_qs(url.query).items()}
                    code = f"code-{len(issuer._nonces)}"
                    issuer._nonces[code] = asked["nonce"]
                    self.send_response(302)
                    self.send_header(
                        "Location", f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"
                    )
                    self.end_headers()
                    return
                self._json(issuer._keys() if url.path == "/keys" else issuer._metadata())

            def do_POST(self) -> None:
                body = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
                token = issuer._signed(issuer._nonces.pop(body["code"][0]))
                self._json({"access_token": "x", "token_type": "Bearer", "expires_in": 600, "id_token": token})

            def _json(self, body: dict[str, Any]) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(json.dumps(body).encode())

            def log_message(self, *_: Any) -> None:
                """Silent."""

        return Handler


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _number(value: int) -> str:
    return _text(value.to_bytes((value.bit_length() + 7) // 8, "big"))
