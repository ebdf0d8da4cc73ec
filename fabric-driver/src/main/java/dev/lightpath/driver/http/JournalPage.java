package dev.lightpath.driver.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.lightpath.driver.contract.ControlledDevice;
import dev.lightpath.driver.contract.Fleet;
import dev.lightpath.driver.contract.view.DeviceView;
import dev.lightpath.driver.ledger.Ledger;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.serving.pages.StatusPages;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/**
 * What the journal holds of each device: who writes to it, the highest epoch and revision that it was shown, and the
 * operations that have not ended. Restoring a backup needs these figures.
 */
public final class JournalPage {
    private static final JsonFactory JSON = new JsonFactory();

    private final Fleet fleet;
    private final Ledger ledger;

    public JournalPage(Fleet fleet, Ledger ledger) {
        this.fleet = fleet;
        this.ledger = ledger;
    }

    /** Linear in devices. */
    public StatusPages.Answer answer() {
        StringWriter out = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartObject();
            json.writeStringField("instance", ledger.instanceId());
            json.writeNumberField("bytes", ledger.journalBytes());
            json.writeArrayFieldStart("devices");
            for (ControlledDevice device : fleet.devices().values()) {
                write(json, device.view());
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException never) {
            throw new UncheckedIOException("memory takes every page", never);
        }
        return new StatusPages.Answer(200, "application/json", out.append('\n').toString());
    }

    private static void write(JsonGenerator json, DeviceView view) throws IOException {
        json.writeStartObject();
        json.writeStringField("device", view.deviceId());
        json.writeStringField("role", view.holdingRole());
        json.writeFieldName("epoch");
        json.writeNumber(Long.toUnsignedString(view.highestEpoch()));
        json.writeStringField("holder", view.highestEpochHolder());
        json.writeNumberField("revision", view.highestGeneration());
        json.writeArrayFieldStart("operations");
        for (Operation operation : view.operations()) {
            json.writeString(operation.getOperationId());
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
