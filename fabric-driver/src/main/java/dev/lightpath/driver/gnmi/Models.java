package dev.lightpath.driver.gnmi;

import com.github.gnmi.proto.CapabilityResponse;
import com.github.gnmi.proto.ModelData;
import dev.lightpath.driver.config.AdapterConfig.GnmiDevice;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.OneLine;
import dev.lightpath.driver.session.ToldOnce;
import dev.lightpath.driver.session.YangRevision;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The modules that a device says it has. Some servers name none, or only some. */
final class Models {
    private static final Logger LOG = LoggerFactory.getLogger(Models.class);

    /** The newest revision of both modules whose text is known. */
    private static final String NEWEST = "2024-11-21";

    private Models() {}

    /**
     * Whether it has the module of states.
     *
     * @throws LostException when it has a newer revision of one of our modules than is known
     */
    static boolean stated(CapabilityResponse can, GnmiDevice config, ToldOnce told) throws LostException {
        boolean stated = false;
        for (ModelData model : can.getSupportedModelsList()) {
            if (List.of(Dialect.MODULE, Dialect.STATES_MODULE).contains(model.getName())) {
                requireKnown(model, config, told);
            }
            stated |= model.getName().equals(Dialect.STATES_MODULE);
        }
        return stated;
    }

    private static void requireKnown(ModelData model, GnmiDevice config, ToldOnce told) throws LostException {
        String version = model.getVersion();
        if (YangRevision.isRevision(version)) {
            YangRevision.requireKnown(model.getName(), version, NEWEST, config.yangRevision());
        } else if (!version.isEmpty()) {
            String line = "module " + model.getName() + " has version '" + OneLine.of(version)
                    + "', which is no revision of YANG: it is used like " + NEWEST + ", the newest known one";
            if (told.isNew(line)) {
                LOG.atInfo().addKeyValue("device", config.id()).log(line);
            }
        }
    }
}
