/*
 * decode.c - decoders side by side: the same file to the same RGBA pixels
 *
 * All work in one process, in turns, into one piece of memory. Before any time is
 * taken, each one's pixels are compared with ours, frame by frame.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <imgsniff.h>

#include "decode.h"

/* Our frames, or how another's compare with them. */
struct canvas_check {
	bool record;
	uint8_t *frames;
	size_t count;
	size_t at;
	bool differs;
	uint64_t difference;		/* of all samples of all frames */
	double worst;			/* of any peer's, for one sample */
};

void
canvas_frame_done(struct canvas *c, const uint8_t *pixels)
{
	struct canvas_check *check = c->check;
	const uint8_t *ours;

	if (check == NULL)
		return;
	if (check->record) {
		check->frames = realloc(check->frames,
					(check->count + 1) * c->size);
		memcpy(check->frames + check->count++ * c->size, pixels,
		       c->size);
		return;
	}
	if (check->at == check->count) {
		check->differs = true;
		return;
	}
	ours = check->frames + check->at++ * c->size;
	if (memcmp(ours, pixels, c->size) == 0)
		return;
	check->differs = true;
	for (size_t i = 0; i < c->size; i++)
		check->difference += (uint64_t)abs(ours[i] - pixels[i]);
}

bool
decode_ours(const struct bench_file *file, struct canvas *to)
{
	static struct imgsniff_decoder *d;
	struct imgsniff_pixmap map = {
		.struct_size = sizeof(map),
		.pixels = to->pixels,
		.size = to->size,
		.stride = (size_t)to->width * 4,
		.width = to->width,
		.height = to->height,
		.layout = IMGSNIFF_RGBA8,
	};
	enum imgsniff_status st;

	if (d == NULL)
		d = imgsniff_new(NULL);
	st = imgsniff_open_memory(d, file->data, file->size, 0);
	while (st == IMGSNIFF_OK) {
		st = imgsniff_decode_into(d, NULL, &map);
		if (st != IMGSNIFF_OK)
			break;
		canvas_frame_done(to, to->pixels);
		st = imgsniff_next_frame(d);
	}
	return st == IMGSNIFF_END;
}

struct run {
	const struct peer *peer;
	const struct bench_file *file;
	struct canvas canvas;
};

static uintptr_t
run_times(void *context, long times)
{
	struct run *r = context;

	while (times-- > 0)
		if (!r->peer->decode(r->file, &r->canvas)) {
			fprintf(stderr, "bench: %s cannot decode it\n",
				r->peer->name);
			exit(2);
		}
	return r->canvas.pixels[0];
}

/* Whether a peer can do it, and does it right. */
static bool
peer_check(const struct peer *p, struct run *r, struct canvas_check *check,
	   const char *name)
{
	size_t samples = check->count * r->canvas.size;
	double difference;
	bool done;

	if (p->kind == PEER_FLOOR)
		return p->decode(r->file, &r->canvas);
	check->at = 0;
	check->differs = false;
	check->difference = 0;
	r->canvas.check = check;
	done = p->decode(r->file, &r->canvas);
	r->canvas.check = NULL;
	difference = (double)check->difference / (double)samples;
	if (done && check->at == check->count &&
	    (p->kind == PEER_CLOSE ? difference < 2 : !check->differs)) {
		check->worst = difference > check->worst ? difference :
							   check->worst;
		return true;
	}
	printf("  WRONG    %s has other pixels for %s (%zu of %zu frames, "
	       "%.3f on average)\n", p->name, name, check->at, check->count,
	       difference);
	bench_broken++;
	return false;
}

static void
result_print(const struct decode_table *t, const char *name,
	     const struct bench_case *of_peer[], double pixels,
	     double difference, const struct decode_result *result)
{
	double steady = 1;

	for (size_t i = 0; i < t->peer_count; i++) {
		const struct bench_case *c = of_peer[i];

		if (c != NULL && c->min / c->ns < steady)
			steady = c->min / c->ns;
		if (i == 0)
			continue;
		if (c == NULL)
			printf(" %9s", "-");
		else if (t->peers[i].kind == PEER_FLOOR)
			printf(" %9.2f", 1 / result->ratio[i]);
		else
			printf(" %8.2fx", result->ratio[i]);
	}
	printf(" %10.3f %8.1f %6.2f %5.2f %6.2f  %-38s",
	       of_peer[0]->ns / 1e6, pixels / of_peer[0]->ns * 1e3,
	       of_peer[0]->min / of_peer[0]->ns, steady, difference, name);
	for (size_t i = 0; i < t->peer_count; i++)
		if (t->peers[i].kind == PEER_FLOOR)
			continue;
		else if (of_peer[i] == NULL)
			printf(" -");
		else
			printf(" %.0f", of_peer[i]->allocations);
	printf("\n");
	fflush(stdout);
}

/* Ours first, then each peer that is there and right. */
static void
table_measure(struct decode_table *t, const char *name, unsigned int tags,
	      struct run *runs, struct canvas_check *check)
{
	struct bench_case cases[DECODE_PEERS] = { { .name = NULL } };
	const struct bench_case *of_peer[DECODE_PEERS] = { NULL };
	struct decode_result *result = &t->results[t->count++];
	double pixels = (double)runs[0].canvas.size / 4 *
			(double)check->count * t->scale * t->scale;
	size_t count = 0;

	for (size_t i = 0; i < t->peer_count; i++) {
		const struct peer *p = &t->peers[i];

		if (i > 0 && (p->decode == NULL ||
			      (p->stills_only && check->count > 1) ||
			      !peer_check(p, &runs[i], check, name)))
			continue;
		of_peer[i] = &cases[count];
		cases[count++] = (struct bench_case){
			.name = p->name, .run = run_times,
			.context = &runs[i],
		};
	}
	free(check->frames);
	check->frames = NULL;
	bench_measure(cases, count);
	*result = (struct decode_result){ .tags = tags };
	result->allocations = cases[0].allocations;
	for (size_t i = 0; i < t->peer_count; i++)
		if (of_peer[i] != NULL) {
			result->ratio[i] = of_peer[i]->ns / cases[0].ns;
			result->paired[i] = of_peer[i]->paired;
		}
	result_print(t, name, of_peer, pixels, check->worst, result);
}

bool
canvas_init(struct canvas *c, const struct bench_file *file, uint32_t scale)
{
	struct imgsniff_decoder *d = imgsniff_new(NULL);
	bool opened = imgsniff_open_memory(d, file->data, file->size, 0) ==
		      IMGSNIFF_OK;

	if (opened) {
		const struct imgsniff_info *info = imgsniff_get_info(d);

		c->width = (info->width + scale - 1) / scale;
		c->height = (info->height + scale - 1) / scale;
		c->size = (size_t)c->width * c->height * 4;
		c->pixels = malloc(c->size);
	}
	imgsniff_free(d);
	return opened;
}

void
decode_file(struct decode_table *t, const char *name, unsigned int tags,
	    struct bench_file file)
{
	struct canvas canvas = { NULL, 0, 0, 0, NULL };
	struct canvas_check check = { .record = true };
	struct run runs[DECODE_PEERS];

	if (file.data == NULL)
		return;
	if (t->count == DECODE_FILES || !canvas_init(&canvas, &file, t->scale)) {
		fprintf(stderr, "bench: cannot open %s\n", name);
		exit(2);
	}
	for (size_t i = 0; i < t->peer_count; i++)
		runs[i] = (struct run){ &t->peers[i], &file, canvas };
	runs[0].canvas.check = &check;
	run_times(&runs[0], 1);
	runs[0].canvas.check = NULL;
	check.record = false;
	table_measure(t, name, tags, runs, &check);
	free(canvas.pixels);
	free(file.data);
}

void
decode_shared(struct decode_table *t, const char *name, unsigned int tags)
{
	char path[256];

	snprintf(path, sizeof(path), "../shared/bench-images/%s", name);
	if (!bench_quick && access(path, R_OK) == 0)
		decode_file(t, name, tags, bench_load(path));
}

void
decode_head(const struct decode_table *t)
{
	printf("\n%s\n", t->title);
	for (size_t i = 1; i < t->peer_count; i++)
		printf(" %9s", t->peers[i].name);
	printf(" %10s %8s %6s %5s %6s  %-38s %s\n", "ours, ms", "MP/s",
	       "steady", "worst", "differ", "file",
	       "allocations: ours, theirs");
}

static double
result_fastest(const struct decode_result *r, unsigned int peers, bool paired)
{
	const double *ratios = paired ? r->paired : r->ratio;
	double fastest = 0;

	for (size_t i = 0; i < DECODE_PEERS; i++)
		if ((peers >> i & 1) && ratios[i] > 0 &&
		    (fastest <= 0 || ratios[i] < fastest))
			fastest = ratios[i];
	return fastest;
}

struct decode_summary
decode_summarise(const struct decode_table *t, unsigned int tags,
		 unsigned int peers, bool paired)
{
	struct decode_summary s = { 0, 0, 0, 0 };
	double logs = 0;

	for (size_t i = 0; i < t->count; i++) {
		double r = result_fastest(&t->results[i], peers, paired);

		if ((t->results[i].tags & tags) != tags || r <= 0)
			continue;
		s.least = s.files == 0 || r < s.least ? r : s.least;
		s.most = r > s.most ? r : s.most;
		logs += log(r);
		s.files++;
	}
	if (s.files > 0)
		s.mean = exp(logs / (double)s.files);
	return s;
}

void
decode_foot(const struct decode_table *t)
{
	for (size_t i = 1; i < t->peer_count; i++) {
		struct decode_summary s = decode_summarise(t, 0, 1u << i, false);

		if (s.files == 0)
			printf(" %9s", "-");
		else if (t->peers[i].kind == PEER_FLOOR)
			printf(" %9.2f", 1 / s.mean);
		else
			printf(" %8.2fx", s.mean);
	}
	printf("  geometric means\n");
}

void
decode_claim(const char *what, const struct decode_summary *s, double value,
	     const char *relation, double bound)
{
	char text[128];

	if (s->files == 0) {
		printf("  unknown  %s: there is nothing to compare with\n",
		       what);
		return;
	}
	snprintf(text, sizeof(text), "%s, %zu files", what, s->files);
	bench_claim(text, value, relation, bound);
}

double
decode_allocations(const struct decode_table *t)
{
	double most = 0;

	for (size_t i = 0; i < t->count; i++)
		if (t->results[i].allocations > most)
			most = t->results[i].allocations;
	return most;
}
