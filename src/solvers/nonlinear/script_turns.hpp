#pragma once

namespace rubato {

/// Who moves next while scripted unknowns cannot jump to their place: they go as far as they can; where that is little,
/// elements or contacts are nearly used up, and the free nodes give way before they go on.
class ScriptTurns {
public:
    explicit ScriptTurns(bool arrived = true)
        : turn_(arrived ? Turn::over : Turn::scripts)
    {
    }
    bool arrived() const { return turn_ == Turn::over; }
    bool scripts_move() const { return turn_ == Turn::scripts || turn_ == Turn::scripts_at_rest; }

    /// Scripts that cannot go on although the free nodes gave way as far as they will never arrive.
    bool stuck_after(double gone) const { return gone == 0 && turn_ == Turn::scripts_at_rest; }

    /// Scripts went this fraction of the way left.
    void scripts_moved(double gone)
    {
        turn_ = gone == 1 ? Turn::over : gone < good_progress ? Turn::free_nodes : Turn::scripts;
    }
    /// The free nodes took a step, the whole of it or not. `at_rest`: they will not move further.
    void free_nodes_moved(bool at_rest, bool whole_step)
    {
        turn_ = at_rest ? Turn::scripts_at_rest : whole_step ? Turn::scripts : Turn::free_nodes;
    }

private:
    static constexpr double good_progress = 0.1; // of the way left: no need to wait for the free nodes

    enum class Turn { scripts, scripts_at_rest, free_nodes, over } turn_;
};

} // namespace rubato
