package dev.lightpath.console.forecast;

import dev.lightpath.console.text.Page;
import java.util.List;

/** What a job would lose by a fault, on each fabric where anything changes. */
public record JobLoss(String namespace, String job, List<SliceLoss> slices) {
    void tell(Page page) {
        slices.forEach(
                loss -> loss.tell(page, "slice " + loss.slice() + " of job " + job + " on fabric " + loss.fabric()));
    }
}
