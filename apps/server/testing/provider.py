"""An identity provider for tests, made of pysaml2, which shares no code with the server.

provider.py FOLDER metadata            prints its metadata
provider.py FOLDER answer LOCATION     prints the form that answers a request, as JSON; the service's metadata is
                                       service.xml in the folder. Then `whole` for a signature of the response, `curve`
                                       for a key on P-384
The folder has its key.pem and cert.pem.
"""
import json
import os
import sys
from urllib.parse import parse_qs, urlparse

from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT
from saml2.authn_context import PASSWORDPROTECTEDTRANSPORT
from saml2.config import IdPConfig
from saml2.metadata import entity_descriptor
from saml2.saml import NAME_FORMAT_URI, NAMEID_FORMAT_PERSISTENT, NameID
from saml2.server import Server
from saml2.sigver import verify_redirect_signature
from saml2.xmldsig import DIGEST_SHA256, DIGEST_SHA384, SIG_ECDSA_SHA384, SIG_RSA_SHA256

folder, verb = sys.argv[1:3]
how = sys.argv[4:]
sso = "https://idp.example.org/sso"
service = os.path.join(folder, "service.xml")


def configuration():
    return IdPConfig().load(
        {
            "entityid": "https://idp.example.org",
            "xmlsec_binary": "/usr/bin/xmlsec1",
            "key_file": os.path.join(folder, "key.pem"),
            "cert_file": os.path.join(folder, "cert.pem"),
            "metadata": {"local": [service]} if verb == "answer" else {},
            "service": {
                "idp": {
                    "endpoints": {"single_sign_on_service": [(sso, BINDING_HTTP_REDIRECT)]},
                    "policy": {"default": {"lifetime": {"minutes": 5}, "name_form": NAME_FORMAT_URI}},
                }
            },
        }
    )


def answer(location):
    fields = {key: values[0] for key, values in parse_qs(urlparse(location).query).items()}
    idp = Server(config=configuration())
    certificates = idp.metadata.certs("https://purlin.example.org", "any", "signing")
    certificate = certificates[0][1] if isinstance(certificates[0], tuple) else certificates[0]
    if not verify_redirect_signature(fields, idp.sec.sec_backend, certificate):
        sys.exit("the signature of the request is wrong")
    request = idp.parse_authn_request(fields["SAMLRequest"], BINDING_HTTP_REDIRECT)
    response = idp.create_authn_response(
        {"eduPersonAffiliation": ["admins", "dev,ops"]},
        userid="ann",
        name_id=NameID(format=NAMEID_FORMAT_PERSISTENT, text="ann@example.org"),
        authn={"class_ref": PASSWORDPROTECTEDTRANSPORT},
        sign_assertion="whole" not in how,
        sign_response="whole" in how,
        sign_alg=SIG_ECDSA_SHA384 if "curve" in how else SIG_RSA_SHA256,
        digest_alg=DIGEST_SHA384 if "curve" in how else DIGEST_SHA256,
        **idp.response_args(request.message, [BINDING_HTTP_POST]),
    )
    return {"response": str(response), "relayState": fields["RelayState"]}


if verb == "metadata":
    print(entity_descriptor(configuration()))
else:
    print(json.dumps(answer(sys.argv[3])))
