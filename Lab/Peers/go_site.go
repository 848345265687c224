// SPDX-License-Identifier: Apache-2.0

// Passkeys with duo-labs/webauthn, from which go-webauthn comes, in net/http and SQLite. As in its documentation, the session
// data of a ceremony are kept between its two requests, here in a signed cookie. The library writes options in standard base64, which
// its pages decode; here they are in base64url, as the standard's JSON and its successor have them.
//
// A sign-in is one transaction in the database of schema.sql, durable before the response: the passkey's counter and a session.
//
//	go_site PORT
package main

import (
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/duo-labs/webauthn/protocol"
	"github.com/duo-labs/webauthn/webauthn"
	"github.com/gorilla/securecookie"
	_ "github.com/mattn/go-sqlite3"
)

const (
	ceremonySeconds = 300
	sessionSeconds  = 86400
	options         = "?_synchronous=FULL&_busy_timeout=20000&_txlock=immediate&_foreign_keys=on"
)

var (
	library *webauthn.WebAuthn
	// SQLite has one writer at a time.
	writer, reader *sql.DB
	cookies        = securecookie.New([]byte(os.Getenv("PEER_SECRET")), nil).MaxAge(ceremonySeconds)
	errRefused     = errors.New("refused")
)

type user struct {
	id          []byte
	name        string
	credentials []webauthn.Credential
}

func (u *user) WebAuthnID() []byte                         { return u.id }
func (u *user) WebAuthnName() string                       { return u.name }
func (u *user) WebAuthnDisplayName() string                { return u.name }
func (u *user) WebAuthnIcon() string                       { return "" }
func (u *user) WebAuthnCredentials() []webauthn.Credential { return u.credentials }

// ceremony is what a browser keeps in its signed cookie between two requests.
type ceremony struct {
	Name string
	Data webauthn.SessionData
}

func random() []byte {
	bytes := make([]byte, 32)
	if _, err := rand.Read(bytes); err != nil {
		panic(err)
	}
	return bytes
}

func setCookie(w http.ResponseWriter, name, value string, age int) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: age, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

func begin(w http.ResponseWriter, name string, data *webauthn.SessionData) error {
	value, err := cookies.Encode("ceremony", ceremony{name, *data})
	if err != nil {
		return err
	}
	setCookie(w, "ceremony", value, ceremonySeconds)
	return nil
}

func begun(r *http.Request) (one ceremony, err error) {
	cookie, err := r.Cookie("ceremony")
	if err == nil {
		err = cookies.Decode("ceremony", cookie.Value, &one)
	}
	return
}

func joinBegin(w http.ResponseWriter, r *http.Request) (any, error) {
	var body struct{ Username string }
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return nil, err
	}
	creation, data, err := library.BeginRegistration(&user{id: random(), name: body.Username})
	if err != nil {
		return nil, err
	}
	return struct {
		protocol.PublicKeyCredentialCreationOptions
		Challenge string         `json:"challenge"`
		User      map[string]any `json:"user"`
	}{
		creation.Response, data.Challenge,
		map[string]any{"id": base64.RawURLEncoding.EncodeToString(data.UserID), "name": body.Username, "displayName": body.Username},
	}, begin(w, body.Username, data)
}

func joinFinish(w http.ResponseWriter, r *http.Request) (any, error) {
	one, err := begun(r)
	if err != nil {
		return nil, err
	}
	credential, err := library.FinishRegistration(&user{id: one.Data.UserID, name: one.Name}, one.Data, r)
	if err != nil {
		return nil, err
	}
	return verified, commit(
		statement{"INSERT INTO accounts VALUES (?, ?)", []any{one.Data.UserID, one.Name}},
		statement{
			"INSERT INTO passkeys VALUES (?, ?, ?, ?, NULL)",
			[]any{credential.ID, one.Data.UserID, credential.PublicKey, credential.Authenticator.SignCount},
		})
}

func loginBegin(w http.ResponseWriter, _ *http.Request) (any, error) {
	assertion, data, err := library.BeginDiscoverableLogin()
	if err != nil {
		return nil, err
	}
	return struct {
		protocol.PublicKeyCredentialRequestOptions
		Challenge string `json:"challenge"`
	}{assertion.Response, data.Challenge}, begin(w, "", data)
}

func loginFinish(w http.ResponseWriter, r *http.Request) (any, error) {
	one, err := begun(r)
	if err != nil {
		return nil, err
	}
	parsed, err := protocol.ParseCredentialRequestResponse(r)
	if err != nil {
		return nil, err
	}
	credential, err := library.ValidateDiscoverableLogin(find, one.Data, parsed)
	if err != nil {
		return nil, err
	}
	if credential.Authenticator.CloneWarning {
		return nil, errRefused
	}
	token := base64.RawURLEncoding.EncodeToString(random())
	hash := sha256.Sum256([]byte(token))
	now := time.Now().Unix()
	err = commit(
		statement{
			"UPDATE passkeys SET sign_count = ?, used = ? WHERE id = ?",
			[]any{credential.Authenticator.SignCount, now, credential.ID},
		},
		statement{
			"INSERT INTO sessions VALUES (?, ?, ?, ?)",
			[]any{hash[:], parsed.Response.UserHandle, one.Data.Challenge, now + sessionSeconds},
		})
	if err == nil {
		setCookie(w, "sid", token, sessionSeconds)
	}
	return verified, err
}

// find returns the user of a passkey.
func find(id, handle []byte) (webauthn.User, error) {
	found := user{credentials: make([]webauthn.Credential, 1)}
	credential := &found.credentials[0]
	credential.ID = id
	row := reader.QueryRow("SELECT handle, public_key, sign_count FROM passkeys WHERE id = ?", id)
	return &found, row.Scan(&found.id, &credential.PublicKey, &credential.Authenticator.SignCount)
}

type statement struct {
	text   string
	values []any
}

func commit(statements ...statement) error {
	transaction, err := writer.Begin()
	if err != nil {
		return err
	}
	defer transaction.Rollback()
	for _, one := range statements {
		if _, err := transaction.Exec(one.text, one.values...); err != nil {
			return err
		}
	}
	return transaction.Commit()
}

var verified = map[string]bool{"verified": true}

func route(path string, handle func(http.ResponseWriter, *http.Request) (any, error)) {
	http.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		reply, err := handle(w, r)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			reply = map[string]string{"error": err.Error()}
		}
		json.NewEncoder(w).Encode(reply)
	})
}

func must[Value any](value Value, err error) Value {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	required := true
	library = must(webauthn.New(&webauthn.Config{
		RPDisplayName: "Peer",
		RPID:          "localhost",
		RPOrigin:      os.Getenv("PEER_ORIGIN"),
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			RequireResidentKey: &required,
			ResidentKey:        protocol.ResidentKeyRequirementRequired,
			UserVerification:   protocol.VerificationRequired,
		},
	}))
	location := "file:" + os.Getenv("PEER_DATABASE") + options
	writer = must(sql.Open("sqlite3", location))
	writer.SetMaxOpenConns(1)
	reader = must(sql.Open("sqlite3", location))
	route("/join/begin", joinBegin)
	route("/join/finish", joinFinish)
	route("/login/begin", loginBegin)
	route("/login/finish", loginFinish)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], nil))
}
