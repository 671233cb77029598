-- How a merchant's pages look, and the domain of its own that they may be served from.
--
-- Locks: creates tables only.
create table brand (
  merchant_id   text primary key references merchant,
  accent_colour text check (accent_colour ~ '^#[0-9a-f]{6}$'),
  page_colour   text check (page_colour ~ '^#[0-9a-f]{6}$'),
  text_colour   text check (text_colour ~ '^#[0-9a-f]{6}$'),
  font          text not null,
  logo          text,                     -- names of rows in brand_file
  background    text,
  font_file     text,
  updated_at    timestamptz not null
);

-- Only what we have encoded ourselves, or checked, ever gets here. The name is the hash of the content, so that a
-- browser may keep a file for ever.
create table brand_file (
  merchant_id  text not null references merchant,
  name         text not null check (name ~ '^[0-9a-f]{32}\.(webp|woff2)$'),
  content_type text not null check (content_type in ('image/webp', 'font/woff2')),
  body         bytea not null check (octet_length(body) <= 524288),
  created_at   timestamptz not null,
  primary key (merchant_id, name)
);
create index brand_file_name on brand_file (name);

-- One domain per account. Until a request has come through it (seen_at), nothing is sent there: a container that was
-- never started must not take a shop's payment pages away.
create table brand_domain (
  merchant_id text primary key references merchant,
  domain      text not null unique,
  origin      text not null,              -- what links begin with: https://pay.shop.example
  behaviour   text not null check (behaviour in ('own-domain', 'both', 'redirect', 'block')),
  created_at  timestamptz not null,
  seen_at     timestamptz
);

-- What a container proves with that it speaks for the domain. Several may be valid while one is exchanged for another.
create table branding_key (
  merchant_id text not null references brand_domain on delete cascade,
  id          text not null,
  key_digest  text not null unique,       -- sha256 of the key, which has 256 random bits
  created_at  timestamptz not null,
  primary key (merchant_id, id)
);
