/**
 * Whether light gets worse, before it is lost. Each port that is measured has a history: what it received soon after
 * its circuit was made, and how that changed. A port degrades if it changed by more than the policy allows and more
 * than its peers did. This room knows no fabric and no fault: it is told what ports receive, and says which of them
 * degrade.
 */
@NullMarked
package dev.lightpath.planner.health;

import org.jspecify.annotations.NullMarked;
