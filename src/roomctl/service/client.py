"""Interim client."""
import json, re, sys
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode
from roomctl.contract.operations import KEY_HEADER, PREFIX, UUID, Operation
from roomctl.errors import *
from roomctl.errors import Unintelligible
JSON = Any
from roomctl.service.prepared import prepare, curl
class _Prepared(NamedTuple):
    operation: Operation; method: str; url: str; path: str; query: tuple; headers: dict; body: bytes|None
    def shown(self):
        return {"method":self.method,"url":self.url,"headers":{**self.headers,KEY_HEADER:"<API_KEY>"},"body":json.loads(self.body) if self.body is not None else None}
def _prepare(base_url, operation, *, path={}, query=(), body=None):
    p=PREFIX+operation.path
    for k,v in path.items():
        if not UUID.fullmatch(v): raise BadValue(f"not an id: {v!r}")
        p=p.replace("{"+k+"}",quote(v,safe=""))
    data=json.dumps(body,ensure_ascii=False,separators=(",",":")).encode() if operation.body else None
    h={"Accept":"application/json"}
    if data is not None: h["Content-Type"]="application/json"
    q=tuple(query)
    return Prepared(operation,operation.method,base_url+p+("?"+urlencode(q) if q else ""),p,q,h,data)
def _curl(p):
    import shlex
    parts=["curl","--fail-with-body","-X",p.method,"-H",f'"{KEY_HEADER}: $ROOMCTL_API_KEY"']
    return "curl -X "+p.method+f' -H "{KEY_HEADER}: $ROOMCTL_API_KEY" '+(("-H 'Content-Type: application/json' --data "+shlex.quote(p.body.decode())+" ") if p.body is not None else "")+shlex.quote(p.url)
class Reply(NamedTuple):
    value: JSON; status: int; operation: Operation; attempts: int
def strip(v):
    if isinstance(v,dict): return {k:strip(x) for k,x in v.items() if "bearer" not in k.lower()}
    if isinstance(v,list): return [strip(x) for x in v]
    return v
class Client:
    def __init__(self, base_url, api_key, *, timeout=30.0, retries=None, rate=None, transport=None, ca_file=None, proxy=None, idempotency_header=None, recorder=None, note=lambda t: None):
        sys.modules.setdefault("httpx._main",None)
        import httpx, ssl
        self.base_url=base_url; self.key=api_key; self.recorder=recorder
        self.http=httpx.Client(transport=transport,timeout=timeout,trust_env=False,follow_redirects=False,verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if base_url.startswith("http:") else True)
    def send(self, operation, *, path={}, query=(), body=None, what=""):
        import httpx
        p=prepare(self.base_url,operation,path=path,query=query,body=body)
        e=self.recorder.planned(p) if operation.writes and self.recorder else None
        if e: self.recorder.sent(e)
        try:
            r=self.http.request(p.method,p.url,headers={**dict(p.headers),KEY_HEADER:self.key},content=p.body)
        except httpx.HTTPError as x:
            if operation.writes:
                if e: self.recorder.settled(e,"unknown",str(type(x)))
                raise OutcomeUnknown(f"no answer: {what}",journal=e or "",details={"phase":"P2"})
            raise Temporary(f"network: {type(x).__name__}")
        if r.status_code!=200:
            if e: self.recorder.settled(e,"refused",str(r.status_code))
            k=NotAllowed if r.status_code in (401,403) else NotFound if r.status_code==404 else Refused
            raise k(f"the service refused to {what or operation.summary.lower()} (HTTP {r.status_code})",http=r.status_code,request=f"{p.method} {p.url}",service=r.text[:2000],outcome="refused")
        if e: self.recorder.settled(e,"confirmed","200")
        v=None if operation.reply is None else strip(r.json())
        return Reply(v,r.status_code,operation,1)
    def page(self, operation, *, path, query, page, size):
        q=[*query,("page",str(page))]+([("size",str(size))] if size else [])
        v=self.send(operation,path=path,query=q).value
        if not isinstance(v,list): raise Unintelligible("not an array")
        return v
    def pages(self, operation, *, path, query, size, start=0):
        n=start
        while True:
            rows=self.page(operation,path=path,query=query,page=n,size=size)
            if not rows: return
            yield rows
            n+=1
    def close(self):
        self.http.close()
