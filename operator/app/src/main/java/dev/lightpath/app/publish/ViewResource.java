package dev.lightpath.app.publish;

import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Map;
import java.util.Optional;

/** Everything as the last published pass saw it, as JSON. Only the leader passes; others answer 503. */
@Path("/view")
public final class ViewResource {
    private final StatusPublisher publisher;

    @Inject
    ViewResource(StatusPublisher publisher) {
        this.publisher = publisher;
    }

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    public Response view() {
        Optional<View> view = publisher.latest().map(ViewProjector::project);
        if (view.isPresent()) {
            return Response.ok(view.get()).build();
        }
        return Response.status(Response.Status.SERVICE_UNAVAILABLE)
                .entity(Map.of("problem", "this replica has not made a planning pass: ask the leader, or wait for it"))
                .build();
    }
}
