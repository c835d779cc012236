# list.sh - for the scripts beside it: what they say of every test image

images()
{
	find test-images -type f ! -path 'test-images/make/*' ! -name '*.md' |
		LC_ALL=C sort
}

facts()
{
	# The exit status is 1, because not all of them are images.
	images | "$IMGSNIFF" --json --files-from=- 2>/dev/null || [ $? = 1 ]
}

pixels()
{
	images | tr '\n' '\0' | xargs -0 "$B/tests/golden/pixels"
}

# The pixels of a JPEG depend on its decoder, and so do some errors.
without_jpeg()
{
	grep -v '\.jpg ' "$1" || true
}
