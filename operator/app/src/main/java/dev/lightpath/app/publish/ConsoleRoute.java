package dev.lightpath.app.publish;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.lightpath.app.access.Access;
import dev.lightpath.app.access.Caller;
import dev.lightpath.app.access.Door;
import dev.lightpath.app.access.Paced;
import dev.lightpath.app.access.Refused;
import dev.lightpath.app.access.Right;
import dev.lightpath.console.Look;
import dev.lightpath.console.PageFiles;
import dev.lightpath.console.Seen;
import dev.lightpath.console.explain.ExplainPage;
import dev.lightpath.console.explain.ExplainReport;
import dev.lightpath.console.view.Views;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * {@code /console/}: the console, read only. Its files hold no data and are for everybody; each document below
 * {@code api/} is for a caller with a token, and shows what {@code /view} would show it.
 */
@Singleton
public class ConsoleRoute {
    private static final String HOME = "/console/";
    private static final ObjectMapper JSON = JsonMapper.builder()
            .serializationInclusion(JsonInclude.Include.NON_ABSENT)
            .build();

    /** Who is asked, as whom, and what can be asked beside the views: nothing that changes anything or searches. */
    private record Session(String where, String who, List<String> can) {}

    /** Lines as the command line prints them. */
    private record Lines(List<String> lines) {}

    private final ConsoleLooks looks;
    private final Previews previews;
    private final Access access;
    private final Door door;
    private final Vertx vertx;

    @Inject
    ConsoleRoute(ConsoleLooks looks, Previews previews, Access access, Door door, Vertx vertx) {
        this.looks = looks;
        this.previews = previews;
        this.access = access;
        this.door = door;
        this.vertx = vertx;
    }

    void register(@Observes Router router) {
        // an exact path would match that with a slash at its end, too
        router.getWithRegex("/console").handler(ConsoleRoute::home);
        router.get(HOME + "api/live").handler(this::live);
        router.get(HOME + "api/*").handler(this::document);
        router.get(HOME + "*").handler(this::file);
    }

    private static void home(RoutingContext request) {
        request.response().setStatusCode(308).putHeader("Location", HOME).end();
    }

    private void file(RoutingContext request) {
        HttpServerResponse response = secured(request.response());
        String name = request.normalizedPath().substring(HOME.length());
        Optional<PageFiles.PageFile> file = PageFiles.named(name);
        if (file.isEmpty()) {
            response.setStatusCode(404)
                    .putHeader("Content-Type", "text/plain; charset=utf-8")
                    .end("there is no such page\n");
            return;
        }
        response.putHeader("Content-Type", file.get().type())
                .putHeader("ETag", file.get().tag())
                .putHeader("Cache-Control", "no-cache");
        if (file.get().tag().equals(request.request().getHeader("If-None-Match"))) {
            response.setStatusCode(304).end();
        } else {
            response.end(Buffer.buffer(file.get().bytes()));
        }
        if (name.isEmpty()) {
            var unused = vertx.executeBlocking(this::prepare, false);
        }
    }

    /** Who opens the page asks for a view next, and meanwhile the browser reads the other files. */
    private boolean prepare() {
        Optional<Seen> first = looks.first();
        first.ifPresent(seen -> {
            Sees all = new Sees(true, namespaces(seen.look()));
            List<String> addresses = new ArrayList<>(List.of("overview"));
            seen.look()
                    .fabrics()
                    .forEach(fabric -> addresses.add((fabric.getSpec().ocsTrx() == null ? "spine/" : "ring/")
                            + fabric.getMetadata().getName()));
            addresses.forEach(address -> once(seen, all, address, Views.path(address)));
        });
        return first.isPresent();
    }

    private void document(RoutingContext request) {
        secured(request.response()).putHeader("Cache-Control", "no-store");
        String address = address(request);
        String moment = request.request().getParam("at");
        String fault = request.request().getParam("fault");
        door.admit(request, caller -> {
            Paced answer = new Paced(List.of(document(caller, address, moment, fault)));
            return (admitted, done) -> {
                admitted.response().putHeader("Content-Encoding", "gzip");
                answer.write(admitted, done);
            };
        });
    }

    /**
     * @param moment that it is asked for; null for now
     * @param fault to be simulated
     */
    private byte[] document(Caller caller, String address, @Nullable String moment, @Nullable String fault) {
        Seen seen;
        try {
            seen = Views.at(looks.now(), moment);
        } catch (IllegalArgumentException e) {
            throw new Refused(404, String.valueOf(e.getMessage()));
        }
        Sees sees = sees(caller, seen.look());
        if (address.equals("session")) {
            return zipped(new Session(
                    "the operator",
                    caller.name(),
                    sees.fabrics() ? List.of("explain", "what-if") : List.of("explain")));
        }
        Look shown = seen.look().as(sees.sight());
        List<String> path = Views.path(address);
        if (path.getFirst().equals("explain") && path.size() == 3) {
            return zipped(explained(previews.explain(shown, path.get(1), path.get(2))));
        }
        if (address.equals("what-if")) {
            return zipped(whatIf(caller, shown, moment, fault));
        }
        return moment == null ? once(seen, sees, address, path) : view(path, seen.as(sees.sight()));
    }

    /** Made once, though all viewers ask for it in the same moment. */
    private static byte[] once(Seen seen, Sees sees, String address, List<String> path) {
        String key = sees.fabrics() + " " + sees.namespaces() + " " + address;
        return seen.documents().computeIfAbsent(key, of -> view(path, seen.as(sees.sight())));
    }

    private static byte[] view(List<String> path, Seen shown) {
        return zipped(Views.of(path, shown)
                .orElseThrow(() -> new Refused(404, "there is no such thing, or you may not see it")));
    }

    private Lines whatIf(Caller caller, Look look, @Nullable String moment, @Nullable String fault) {
        if (!look.sight().fabrics()) {
            throw new Refused(
                    403, caller.name() + " may not " + Right.FABRICS + ": a fault is simulated on whole fabrics");
        }
        if (moment != null) {
            throw new Refused(400, "?at=" + moment + ": a fault is simulated on what is now, leave it out");
        }
        if (fault == null || fault.isBlank()) {
            throw new Refused(400, "?fault= is missing: node/NAME, switch/NAME or another that simulate-fault takes");
        }
        return new Lines(previews.whatIf(look, fault));
    }

    /** As the command line prints it. */
    private static Lines explained(ExplainReport report) {
        List<String> lines =
                new ArrayList<>(ExplainPage.of(report).render().lines().toList());
        if (!report.scaleOut().isEmpty()) {
            lines.add("");
            lines.add("what one more port would give: kubectl lightpath explain tj/" + report.name() + " -n "
                    + report.namespace());
        }
        return new Lines(lines);
    }

    /** Namespaces count whose slices and jobs the caller may get. */
    private Sees sees(Caller caller, Look look) {
        Sees sees = Sees.of(access, caller, namespaces(look));
        Collection<String> namespaces = access.may(caller, Right.jobs(""))
                ? sees.namespaces()
                : sees.namespaces().stream()
                        .filter(namespace -> access.may(caller, Right.jobs(namespace)))
                        .toList();
        return new Sees(sees.fabrics(), new TreeSet<>(namespaces));
    }

    private static SortedSet<String> namespaces(Look look) {
        SortedSet<String> known = new TreeSet<>();
        look.jobs().forEach(job -> known.add(job.getMetadata().getNamespace()));
        look.slices().forEach(slice -> known.add(slice.getMetadata().getNamespace()));
        return known;
    }

    /** News name kinds of things only; what is new is asked for, and then rights count. */
    private void live(RoutingContext request) {
        secured(request.response())
                .putHeader("Cache-Control", "no-store")
                .putHeader("Content-Type", "text/event-stream")
                .setChunked(true);
        door.follow(request, caller -> {
            Sees unused = sees(caller, looks.now().look());
            return looks::follow;
        });
    }

    private static String address(RoutingContext request) {
        return request.normalizedPath().substring((HOME + "api/").length());
    }

    private static HttpServerResponse secured(HttpServerResponse response) {
        PageFiles.HEADERS.forEach(response::putHeader);
        return response;
    }

    /** Every browser reads gzip. */
    private static byte[] zipped(Object document) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream zip = new GZIPOutputStream(out)) {
            JSON.writeValue(zip, document);
        } catch (IOException e) {
            throw new IllegalStateException("records of text and numbers are always JSON", e);
        }
        return out.toByteArray();
    }
}
