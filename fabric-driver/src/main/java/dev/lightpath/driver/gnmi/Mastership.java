package dev.lightpath.driver.gnmi;

import com.github.gnmi.proto.SetRequest;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.RefusedException;
import gnmi_ext.GnmiExt.Extension;
import gnmi_ext.GnmiExt.MasterArbitration;
import gnmi_ext.GnmiExt.Uint128;
import io.grpc.Status;
import java.time.Duration;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The claim to be the one client that changes a device (gNMI extension Master Arbitration): each change says the number
 * of the election. The device refuses changes with a lower number than the highest it has seen.
 */
final class Mastership {
    private static final Duration CALL = Duration.ofSeconds(5);
    private static final Logger LOG = LoggerFactory.getLogger(Mastership.class);

    private final GnmiSession session;
    private final OptionalLong electionId;

    /** @param electionId empty: nothing is claimed */
    Mastership(GnmiSession session, OptionalLong electionId) {
        this.session = session;
        this.electionId = electionId;
    }

    /**
     * Tells the device, by a Set that changes nothing, as the extension wants it. If it has another master, the log
     * says so once, and changes will be refused.
     *
     * @throws LostException when the device takes no such claim
     */
    void claim(String device) throws LostException {
        if (electionId.isEmpty()) {
            return;
        }
        try {
            set(SetRequest.getDefaultInstance(), CALL);
        } catch (RefusedException refused) {
            if (!isDenied(refused)) {
                throw new LostException(
                        "the device takes no master arbitration, leave out `electionId` in driver.yaml: "
                                + refused.getMessage());
            }
            LOG.atWarn().addKeyValue("device", device).log(refused.getMessage());
        }
    }

    /** Asks for a change. */
    void set(SetRequest change, Duration within) throws LostException, RefusedException {
        if (electionId.isEmpty()) {
            session.set(change, within);
            return;
        }
        try {
            session.set(change.toBuilder().addExtension(claimed()).build(), within);
        } catch (RefusedException refused) {
            if (isDenied(refused)) {
                throw new RefusedException(
                        refused.code(),
                        "the device has a master with a higher number than electionId " + electionId.getAsLong() + ": "
                                + refused.getMessage());
            }
            throw refused;
        }
    }

    private Extension claimed() {
        return Extension.newBuilder()
                .setMasterArbitration(MasterArbitration.newBuilder()
                        .setElectionId(Uint128.newBuilder().setLow(electionId.orElseThrow())))
                .build();
    }

    private static boolean isDenied(RefusedException refused) {
        return refused.code().equals(Status.Code.PERMISSION_DENIED.name());
    }
}
