#!/bin/sh
# Makes FOLDER/python: Debian's Python for aarch64 with the wheels of ncnn and NumPy, run by qemu. It changes
# nothing outside the folder. Needs qemu-aarch64-static (apt install qemu-user-static), apt-get and pip.
#
#   sh tests/arm/prepare.sh FOLDER
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)
for program in qemu-aarch64-static apt-get dpkg-deb; do
  command -v "$program" >/dev/null || { echo "$program is not installed"; exit 1; }
done

mkdir -p "$folder/apt/lists/partial" "$folder/apt/archives/partial"
: >"$folder/apt/status"
cat >"$folder/apt/apt.conf" <<END
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Sandbox::User "";
Dir::State::lists "$folder/apt/lists";
Dir::State::status "$folder/apt/status";
Dir::Cache "$folder/apt";
END
export APT_CONFIG="$folder/apt/apt.conf"
apt-get -q update
apt-get -qy --no-install-recommends --download-only install python3 libstdc++6 libgomp1
for package in "$folder"/apt/archives/*.deb; do
  dpkg-deb -x "$package" "$folder/root"
done

version=$(basename "$folder"/root/usr/bin/python3.*[0-9])
for platform in manylinux2014 manylinux_2_27 manylinux_2_28; do
  platforms="${platforms:-} --platform ${platform}_aarch64"
done
# shellcheck disable=SC2086
"${PYTHON:-python3}" -m pip install -q --disable-pip-version-check --no-deps --only-binary :all: $platforms \
  --python-version "${version#python}" --target "$folder/site" --upgrade ncnn numpy

cat >"$folder/python" <<END
#!/bin/sh
exec qemu-aarch64-static -cpu max -L "$folder/root" \
  -E PYTHONHOME="$folder/root/usr" -E PYTHONPATH="$folder/site" "$folder/root/usr/bin/$version" "\$@"
END
chmod +x "$folder/python"
"$folder/python" -c "import ncnn; print('ncnn', ncnn.__version__, 'on aarch64')"
echo "NCNN_AARCH64_PYTHON=$folder/python make test-arm"
