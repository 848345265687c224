# SPDX-License-Identifier: Apache-2.0
"""The part of Scripts/demo that uses a browser: sign-up, a confirmed order, passkey management, and a sign-in by autofill.

    browser.py CHROMIUM FOLDER PORT TRUSTED_KEY [PICTURES]

With PICTURES the browser has no window, and pictures of its page go into that folder. Uses `passkey` from the PATH, and from
the environment PASSKEY_VAULT and PASSKEY_PASSPHRASE, for the vault with the passkeys. Prints what happens.
"""

import base64
import json
import os
import subprocess
import sys
import time

from chromium import Chromium

SITE = "https://raxx.app"
EMAIL = "ada@raxx.app"


class Person:
    """A person at the pages, who presses what is visible by its label. `pictures` is a folder, or None if there is a window."""

    def __init__(self, browser, pictures):
        self.browser, self.pictures = browser, pictures
        browser.open("about:blank")
        if pictures:
            self.resize(900)

    def resize(self, height):
        self.browser.send("Emulation.setDeviceMetricsOverride", width=1180, height=height, deviceScaleFactor=1, mobile=False)

    def show(self, name, text, is_whole=True):
        """Says what the page shows, and takes a picture; with a window, leaves time to look."""
        print(f"\n# {text}", flush=True)
        if not self.pictures:
            time.sleep(2)
            return
        if is_whole:
            self.resize(self.browser.run("return Math.max(700, document.documentElement.scrollHeight)"))
        image = self.browser.send("Page.captureScreenshot", format="png")
        self.resize(900)
        path = f"{self.pictures}/{name}.png"
        with open(path, "wb") as file:
            file.write(base64.b64decode(image["data"]))
        print(f"  {path}", flush=True)

    def find(self, selector, condition):
        """Waits for a visible element in the open dialog, or in the page; marks it for `click`. Fails if the page reports a problem."""
        expression = f"""(() => {{
          const place = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
          const found = [...place.querySelectorAll({json.dumps(selector)})].find((one) => one.checkVisibility() && ({condition}));
          document.querySelector('[data-chosen]')?.removeAttribute('data-chosen');
          found?.setAttribute('data-chosen', '');
          return found;
        }})()"""
        self.wait(expression)

    def press(self, label):
        self.find("button, a", f"(one.getAttribute('aria-label') ?? one.textContent).trim() === {json.dumps(label)}")
        x, y = self.browser.run(
            """const one = document.querySelector('[data-chosen]');
            one.scrollIntoView({block: 'center', behavior: 'instant'});
            const box = one.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];"""
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.browser.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def fill(self, label, text):
        self.find("input", f"[...one.labels].some((label) => label.innerText.trim() === {json.dumps(label)})")
        self.browser.run("const one = document.querySelector('[data-chosen]'); one.focus(); one.select()")
        self.browser.send("Input.insertText", text=text)

    def choose(self, label, value):
        self.find("select", f"[...one.labels].some((label) => label.innerText.trim() === {json.dumps(label)})")
        self.browser.run(
            f"""const one = document.querySelector('[data-chosen]');
            one.value = {json.dumps(value)};
            one.dispatchEvent(new Event('input', {{bubbles: true}}));"""
        )

    def wait(self, condition):
        """Waits for a condition, or fails with the problem that the page reports."""
        problem = "document.getElementById('problem')?.textContent"
        self.browser.wait(f"({condition}) || {problem}")
        if self.browser.run(f"return Boolean({condition})") is not True:
            raise RuntimeError(f"the page says: {self.browser.run(f'return {problem}')}")

    def hear(self, text):
        self.wait(f"document.getElementById('status')?.textContent.includes({json.dumps(text)})")

    def arrive(self, path):
        """Waits until a page has loaded with its lists."""
        self.wait(
            f"location.pathname === '{path}' && document.readyState === 'complete'"
            " && !document.getElementById('menu').hidden"
            " && ![...document.querySelectorAll('[aria-busy]')].some((one) => one.checkVisibility())"
        )


def trade(person):
    """Creates an account, trades, signs in again and manages the passkey, with the extension of `passkey browser`."""
    browser = person.browser
    browser.go(f"{SITE}/#create")
    # There is a platform authenticator once the extension is attached.
    browser.wait("await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable()")
    person.fill("Email address", EMAIL)
    person.show("1-create-account", f"sign-up: {EMAIL} needs no password")
    person.press("Create account with a passkey")
    person.arrive("/portfolio")
    person.show("2-portfolio", "the passkey is in the vault of `passkey`, and the new account is signed in")

    person.choose("Symbol", "RAXX")
    person.fill("Quantity", "10")
    person.press("Place order")
    person.hear("Filled")
    # The lists above the form grow; a press at the same time would miss its button.
    person.wait("document.querySelector('#orders strong')")
    person.fill("Quantity", "1000")
    person.press("Place order")
    person.wait("document.querySelector('dialog[open] dl')")
    person.show("3-confirm-order", "a small order was filled; a large one shows exactly what the passkey is to sign", False)
    person.press("Confirm with a passkey")
    person.hear("Filled: you bought 1,000 RAXX")
    person.wait("document.querySelectorAll('#orders strong').length === 2")
    person.show("4-order-filled", "the server checked the signature, and filled the order once")

    person.press("Sign out")
    person.hear("You are signed out.")
    person.show("5-signed-out", "signed out: the server has ended the session")
    person.press("Sign in with a passkey")
    person.arrive("/portfolio")
    person.press("Account")
    person.arrive("/account")
    person.press("Rename Passkey")
    person.fill("New name", "Ada’s vault")
    person.press("Save")
    person.hear("The passkey is renamed.")
    person.show("6-passkeys", "signed in with the button; the account page lists passkeys and sessions")
    person.press("Remove Ada’s vault")
    person.wait("document.querySelector('dialog[open] button')")
    person.show("7-last-passkey", "before the last passkey is removed, the page offers to add another one", False)
    person.press("Cancel")


def move_passkey(browser, folder):
    """Gives the vault's passkey to Chromium's own authenticator, through FIDO's Credential Exchange Format."""
    path = f"{folder}/moved.json"
    subprocess.run(["passkey", "keys", "export", "--output", path], check=True, stdout=subprocess.DEVNULL)
    with open(path) as file:
        items = [item for account in json.load(file)["accounts"] for item in account["items"]]
    os.remove(path)
    passkey = next(one for item in items for one in item["credentials"] if one["type"] == "passkey")

    def base64_of(name):
        text = passkey[name]
        return base64.b64encode(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))).decode()

    browser.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2", "ctap2Version": "ctap2_1", "transport": "internal", "hasResidentKey": True,
        "hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True,
    }
    authenticator = browser.send("WebAuthn.addVirtualAuthenticator", options=options)["authenticatorId"]
    credential = {
        "credentialId": base64_of("credentialId"), "isResidentCredential": True, "rpId": passkey["rpId"],
        "privateKey": base64_of("key"), "userHandle": base64_of("userHandle"), "signCount": 0,
        "userName": passkey["username"], "backupEligibility": True, "backupState": True,
    }
    browser.send("WebAuthn.addCredential", authenticatorId=authenticator, credential=credential)


def sign_in_by_autofill(person, folder):
    person.browser.go(f"{SITE}/")
    person.wait("document.activeElement && !document.getElementById('sign-in').hidden")
    person.show("8-sign-in", "the sign-in page in another browser; its field offers passkeys by autofill")
    print(
        "\nThe extension cannot show autofill, because Chromium does not pass such requests to extensions. So the passkey moves"
        "\nto Chromium's own virtual authenticator, which takes the offer at once: no list drops down, and nothing is pressed.",
        flush=True,
    )
    move_passkey(person.browser, folder)
    person.browser.go(f"{SITE}/")
    person.arrive("/portfolio")
    person.show("9-signed-in-by-autofill", "signed in by autofill, with the same passkey")


def main():
    chromium, folder, port, trusted_key, *rest = sys.argv[1:]
    pictures = rest[0] if rest else None
    profile = ["--user-data-dir", f"{folder}/one/profile"]

    def passkey_browser(command, *options):
        words = ["passkey", "browser", command, *profile, *options]
        print(f"\n$ {' '.join(words).replace(folder, '…')}", flush=True)
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)

    def visit(name, body, extension=None):
        browser = Chromium(chromium, f"{folder}/{name}", port, trusted_key, extension=extension, is_headless=bool(pictures))
        try:
            body(Person(browser, pictures))
        finally:
            browser.close()

    def first(person):
        trade(person)
        visit("two", lambda other: sign_in_by_autofill(other, folder))
        if not pictures and sys.stdin.isatty():
            input("\ndemo: the first window is yours; the vault approves every request. Press Enter to close it. ")

    passkey_browser(
        "install", "--approve", "always", "--vault", os.environ["PASSKEY_VAULT"], "--vault-cost", "test",
        "--passphrase-file", f"{folder}/passphrase",
    )
    try:
        visit("one", first, f"{os.environ['XDG_DATA_HOME']}/passkey/browser/extension")
    finally:
        passkey_browser("uninstall")


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"demo: error: {error}")
