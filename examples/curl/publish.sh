#!/bin/sh
# Publishes an HTML file to Dropleaf and prints its address. Needs curl, and of the rest only what every Unix has.
#
#   export DROPLEAF_URL=https://drops.example.com DROPLEAF_TOKEN=hb_...
#   sh publish.sh [-t title] [-m key=value]... page.html
#
# With tags (-m) the address stays: a drop that carries them all gets a new version, and only where there is none is
# one published. Run by several at once with the same tags, each may find none: let one of them publish first.
set -eu

fail() {
  printf 'publish.sh: %s\n' "$1" >&2
  exit "${2:-1}"
}

# What is between the quotes of a JSON string (RFC 8259, section 7), of standard input. The x keeps the line end of the
# last line, which awk does not show.
json_text() {
  { cat; printf x; } |
    LC_ALL=C sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e "s/$tab/\\\\t/g" -e "s/$carriage/\\\\r/g" -e "s/$feed/\\\\f/g" |
    LC_ALL=C awk 'BEGIN { ORS = "" } NR > 1 { print line "\\n" } { line = $0 }
      END { print substr(line, 1, length(line) - 1) }'
}
tab=$(printf '\t') carriage=$(printf '\r') feed=$(printf '\f')

# field NAME: the first text of that name in the response, which is one line of JSON. Good for slugs and addresses, which
# have nothing that JSON escapes.
field() {
  awk -v name="\"$1\":\"" '{
    start = index($0, name)
    if (start == 0) exit
    rest = substr($0, start + length(name))
    print substr(rest, 1, index(rest, "\"") - 1)
    exit
  }' "$work/response"
}

# call METHOD PATH [CURL OPTION]...: leaves what the service says in $work/response.
call() {
  method=$1 path=$2
  shift 2
  for attempt in 1 2 3 4 5; do
    status=$(curl --silent --show-error --config "$work/login" --request "$method" --dump-header "$work/headers" \
      --output "$work/response" --write-out '%{http_code}' "$@" "$DROPLEAF_URL$path") ||
      fail "no response from $DROPLEAF_URL$path"
    [ "$status" = 429 ] && [ "$attempt" -lt 5 ] || break
    seconds=$(awk '{ sub(/\r$/, "") } tolower($1) == "retry-after:" { print $2 }' "$work/headers")
    # A minute's limit is worth waiting for; where only deleting helps, the service says an hour.
    [ "${seconds:-3600}" -le 60 ] || break
    printf 'publish.sh: too many writes; trying again in %s seconds\n' "$seconds" >&2
    sleep "$seconds"
  done
  case $status in
    2*) ;;
    *) fail "$method $path answered $status: $(cat "$work/response")" ;;
  esac
}

usage='usage: publish.sh [-t title] [-m key=value]... page.html'
command -v curl > /dev/null || fail 'curl is not installed'
: "${DROPLEAF_URL:?is not set: the address of the service, such as https://drops.example.com}"
: "${DROPLEAF_TOKEN:?is not set: get a token at $DROPLEAF_URL/login/token}"
DROPLEAF_URL=${DROPLEAF_URL%/}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# In a file, because everyone on the machine may see the arguments of its programs.
printf 'header = "Authorization: Bearer %s"\n' "$DROPLEAF_TOKEN" > "$work/login"

title='' tags=''
while getopts t:m: option; do
  case $option in
    t) title=$OPTARG ;;
    m)
      key=${OPTARG%%=*} value=$work/value-$OPTIND
      case $OPTARG in ?*=*) ;; *) fail "-m takes key=value, not $OPTARG" 2 ;; esac
      case $key in *[!a-z0-9_.-]*) fail "a key has lower-case letters, digits, _ . and -, not $key" 2 ;; esac
      printf %s "${OPTARG#*=}" > "$value"
      tags="$tags${tags:+,}\"$key\":\"$(json_text < "$value")\""
      # The value by file: curl's settings have escapes of their own.
      printf 'data-urlencode = "metadata.%s@%s"\n' "$key" "$value" >> "$work/filter"
      ;;
    *) fail "$usage" 2 ;;
  esac
done
shift $((OPTIND - 1))
[ $# -eq 1 ] || fail "$usage" 2
file=$1
[ -r "$file" ] || fail "there is no file $file that can be read" 2
# They have no short form in JSON, and no place in HTML.
[ "$(LC_ALL=C tr -d '\t\n\f\r\040-\377' < "$file" | wc -c)" -eq 0 ] || fail "$file holds control characters" 2

slug=''
if [ -n "$tags" ]; then
  call GET '/api/drops?sortOrder=asc&pageSize=1' --get --config "$work/filter"
  slug=$(field slug)
fi

# What is left out of a new version stays as it is.
[ -n "$title$slug" ] || title=$(basename "$file" .html)
{
  printf '{"html":"'
  json_text < "$file"
  printf '"'
  [ -z "$title" ] || printf ',"title":"%s"' "$(printf %s "$title" | json_text)"
  [ -n "$slug" ] || printf ',"metadata":{%s}' "$tags"
  printf '}'
} > "$work/body"

json='content-type: application/json'
if [ -n "$slug" ]; then
  call PUT "/api/drops/$slug" --header "$json" --data-binary "@$work/body"
else
  call POST /api/drops --header "$json" --data-binary "@$work/body"
fi
field url
